//! Two stages by the interior point, against closed forms, enumeration and other solvers.

mod real;
mod tiny;
