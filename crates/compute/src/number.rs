//! The numbers that passes over rows add: of double precision, and of single where what they solve need not be exact.

use std::cell::Cell;
use std::ops::{Add, AddAssign, Mul, MulAssign, Sub};
use std::thread::LocalKey;

/// `f64` or `f32`.
pub trait Number:
    Copy
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + MulAssign
    + 'static
{
    /// The nearest number.
    fn of(x: f64) -> Self;

    /// The same number in double precision.
    fn wide(self) -> f64;

    /// Where a thread makes sums, over and over: memory that another one wrote last is slow to reach, and threads that ask
    /// for memory wait for each other.
    fn room() -> &'static LocalKey<Cell<Room<Self>>>;
}

/// Room for sums: four for a cell, and one.
#[derive(Debug, Default)]
pub struct Room<T> {
    /// Four for a cell.
    pub four: Vec<[T; 4]>,
    /// One for a cell.
    pub one: Vec<T>,
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $type
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }

            fn room() -> &'static LocalKey<Cell<Room<Self>>> {
                thread_local! {
                    static ROOM: Cell<Room<$type>> = const { Cell::new(Room { four: Vec::new(), one: Vec::new() }) };
                }
                &ROOM
            }
        }
    };
}

number!(f64);
number!(f32);
