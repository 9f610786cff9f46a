//! The distribution that is nearest to what is none.

/// The distribution nearest to `q` in the metric Σ Δq²/p: `max(q − θp, 0)` with the θ for which it sums to one, by Newton's
/// method from the last θ. The sum is convex in θ, so that all steps but the first go up to the root.
pub fn project(q: &mut [f64], p: &[f64], threshold: &mut f64) {
    let mut theta = *threshold;
    for step in 0.. {
        let (mut mass, mut slope) = (0.0, 0.0);
        for (q, p) in q.iter().zip(p) {
            let above = q - theta * p;
            mass += above.max(0.0);
            slope += if above > 0.0 { *p } else { 0.0 };
        }
        let next = if slope > 0.0 {
            theta + (mass - 1.0) / slope
        } else {
            // Above all: back to where the first row alone has the mass.
            q.iter().zip(p).map(|(q, p)| (q - 1.0) / p).fold(f64::NEG_INFINITY, f64::max)
        };
        let rose = next > theta;
        theta = next;
        if step > 0 && !rose {
            break;
        }
    }
    q.iter_mut().zip(p).for_each(|(q, p)| *q = (*q - theta * p).max(0.0));
    *threshold = theta;
}
