//! The exponent with which times grow over sizes: 1 where they are linear, 2 where they are quadratic, 0 where they do
//! not grow.

use std::time::Duration;

/// The least sizes that make a slope of more than noise.
const FEWEST: usize = 3;

/// What a series of times comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    /// The exponent of the size.
    pub(super) exponent: f64,
    /// The smallest size that it was taken from.
    pub(super) from: u32,
    /// The largest.
    pub(super) to: u32,
}

/// The times of a series less `idle`, in seconds, but for those of which `idle` is nearly all.
pub(super) fn risen(idle: Duration, series: &[(u32, Duration)]) -> Vec<(u32, f64)> {
    let above = |time: Duration| time.saturating_sub(idle).as_secs_f64();
    let risen = |above: f64| above > 0.0 && above >= idle.as_secs_f64() / 4.0;
    series.iter().map(|(size, time)| (*size, above(*time))).filter(|(_, above)| risen(*above)).collect()
}

/// Fits `time - idle = c * size ^ exponent` to a series, each size with its best time; `None` where too few times rise
/// out of `idle`, which is what the boundary takes for as good as nothing.
///
/// What a call costs whatever is sent (a process, a round trip) would flatten the slope, so it is taken off, and times
/// that it makes up nearly all of are left out.
///
/// It is the slope of least squares over logarithms. A median of slopes (Theil-Sen) shrugs off single outliers, but also
/// the last sizes of a series that bends upwards late, which is what a quadratic pass behind a long linear one looks
/// like. Outliers are kept out before: the times are the best of several, and noise only adds.
pub(super) fn fit(idle: Duration, series: &[(u32, Duration)]) -> Option<Fit> {
    let risen = risen(idle, series);
    let (from, to) = (risen.first()?.0, risen.last()?.0);
    if risen.len() < FEWEST {
        return None;
    }
    let points = risen.iter().map(|(size, above)| (f64::from(*size).ln(), above.ln()));
    let (count, x, y) = points.clone().fold((0.0, 0.0, 0.0), |(n, x, y), (px, py)| (n + 1.0, x + px, y + py));
    let (x, y) = (x / count, y / count);
    let (above, below) =
        points.fold((0.0, 0.0), |(above, below), (px, py)| (above + (px - x) * (py - y), below + (px - x) * (px - x)));
    Some(Fit { exponent: above / below, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: f64 = 1024.0;

    /// The exponent of nine doubling sizes from 64 KiB, each of which takes so many microseconds.
    fn exponent(idle: f64, micros: impl Fn(f64) -> f64) -> Option<f64> {
        let series: Vec<(u32, Duration)> =
            (16..25).map(|power| 1_u32 << power).map(|size| (size, time(micros(f64::from(size))))).collect();
        fit(time(idle), &series).map(|fit| fit.exponent)
    }

    fn time(micros: f64) -> Duration {
        Duration::from_secs_f64(micros / 1e6)
    }

    fn is(expected: f64, got: Option<f64>) -> bool {
        got.is_some_and(|got| (got - expected).abs() < 0.01)
    }

    #[test]
    fn the_exponent_of_a_power_is_its_own() {
        for power in [0.5, 1.0, 1.5, 2.0, 3.0] {
            assert!(is(power, exponent(0.0, |size| (size / KIB).powf(power))));
        }
        let linear = exponent(0.0, |size| size / 100.0).unwrap();
        let sorted = exponent(0.0, |size| size * size.log2() / 1_000.0).unwrap();
        assert!(sorted > linear && sorted < 1.1, "{sorted}");
    }

    #[test]
    fn what_a_call_costs_anyway_hides_no_growth() {
        let idle = 30_000.0;
        assert!(is(1.0, exponent(idle, |size| idle + size / 10.0)));
        assert!(is(2.0, exponent(idle, |size| idle + (size / KIB / 8.0).powi(2))));
        // Left in, it would.
        assert!(exponent(0.0, |size| idle + (size / KIB / 8.0).powi(2)).unwrap() < 1.5);
    }

    #[test]
    fn what_does_not_grow_has_no_exponent() {
        assert_eq!(exponent(500.0, |_| 500.0), None);
        assert_eq!(exponent(500.0, |size| 500.0 + size.log2()), None);
        assert_eq!(exponent(500.0, |_| 400.0), None);
        // Two sizes alone rise out of it.
        assert_eq!(exponent(500.0, |size| if size > 8_000.0 * KIB { 5_000.0 } else { 500.0 }), None);
        assert_eq!(fit(Duration::ZERO, &[]), None);
    }

    #[test]
    fn a_late_bend_upwards_is_seen() {
        let bent = exponent(0.0, |size| size / 100.0 + (size / 100.0) * (size / KIB / 8_192.0)).unwrap();
        assert!(bent > 1.15, "{bent}");
    }

    #[test]
    fn one_disturbed_size_makes_no_quadratic_work_of_linear() {
        for disturbed in 16..25 {
            let spiked = |size: f64| size / 100.0 * if size == f64::from(1_u32 << disturbed) { 1.5 } else { 1.0 };
            let got = exponent(0.0, spiked).unwrap();
            assert!((0.9..1.1).contains(&got), "{disturbed}: {got}");
        }
    }
}
