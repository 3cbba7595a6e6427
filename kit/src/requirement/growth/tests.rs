use super::*;

const SIZES: [u32; 9] = [1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24];

const GROWTH: Growth = Growth { sizes: &SIZES, bound: 1.15, words: |size| size.to_string() };

/// A schedule that is through, where a try of a size takes so many microseconds, and the sizes that were tried. The
/// number of the try goes along.
fn through(micros: impl Fn(f64, usize) -> f64) -> (Schedule, Vec<u32>) {
    through_by(|size, at| {
        let took = Duration::from_secs_f64(micros(size, at) / 1e6);
        Took { wall: took, cpu: Some(took) }
    })
}

fn through_by(took: impl Fn(f64, usize) -> Took) -> (Schedule, Vec<u32>) {
    let (mut schedule, mut sent) = (Schedule::new(GROWTH), Vec::new());
    while let Some(next) = schedule.next() {
        schedule.take(took(f64::from(next.size), sent.len()));
        sent.push(next.size);
    }
    assert!(sent.len() <= (SIZES.len() + 1) * (TRIES + CONFIRMATIONS), "more tries than a case has steps");
    (schedule, sent)
}

fn times(sent: &[u32], size: u32) -> usize {
    sent.iter().filter(|one| **one == size).count()
}

fn micros(micros: f64) -> Duration {
    Duration::from_secs_f64(micros / 1e6)
}

#[test]
fn a_fast_linear_boundary_is_sent_every_size_and_the_small_ones_often() {
    let (schedule, sent) = through(|size, _| size / 1_000.0);
    assert_eq!(schedule.judge(), Ok(()));
    assert_eq!(sent[..10], [0, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24]);
    assert_eq!((times(&sent, 1 << 16), times(&sent, 1 << 24)), (TRIES, 1));
    // In rounds, so that what disturbs a moment disturbs no size more than once.
    assert!(sent.windows(2).all(|pair| pair[0] != pair[1]), "{sent:?}");
}

#[test]
fn a_slow_linear_boundary_is_sent_four_sizes_and_passes() {
    for micros_a_byte in [1.0, 50.0] {
        let (schedule, sent) = through(|size, _| size * micros_a_byte);
        assert_eq!(schedule.judge(), Ok(()));
        assert_eq!(sent, [0, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 0, 0, 0, 0], "{micros_a_byte}");
    }
}

#[test]
fn a_quadratic_boundary_is_confirmed_and_fails_in_these_words() {
    let (schedule, sent) = through(|size, _| (size / 4_096.0).powi(2));
    let wrong = schedule.judge().unwrap_err();
    assert_eq!(wrong.expected, "time that grows with an exponent of at most 1.15");
    assert_eq!(wrong.got, "an exponent of 2.00 from 65536 to 1048576");
    assert_eq!(times(&sent, 1 << 20), 1 + CONFIRMATIONS);
}

#[test]
fn a_very_slow_one_is_confirmed_once() {
    let (schedule, sent) = through(|size, _| (size / 64.0).powi(2));
    assert!(schedule.judge().is_err());
    assert_eq!(times(&sent, 1 << 19), 2);
}

#[test]
fn what_takes_as_long_for_any_size_passes() {
    let (schedule, sent) = through(|_, _| 700.0);
    assert_eq!(schedule.judge(), Ok(()));
    assert!(times(&sent, 1 << 24) > 1);
}

#[test]
fn a_bend_behind_a_constant_fails() {
    let (schedule, _) = through(|size, _| 20_000.0 + (size / 32_768.0).powi(2));
    assert!(schedule.judge().is_err(), "{schedule:?}");
}

#[test]
fn what_disturbs_the_first_tries_of_large_sizes_is_taken_off_again() {
    let disturbed = |size: f64, at: usize| size / 1_000.0 * if at < 10 && size > 1e6 { 4.0 } else { 1.0 };
    let (mut schedule, mut confirmed) = (Schedule::new(GROWTH), 0);
    let mut at = 0;
    while let Some(next) = schedule.next() {
        if next.confirms && confirmed == 0 {
            assert!(schedule.judge().is_err(), "nothing was disturbed");
        }
        confirmed += usize::from(next.confirms);
        let took = micros(disturbed(f64::from(next.size), at));
        schedule.take(Took { wall: took, cpu: Some(took) });
        at += 1;
    }
    assert_eq!(schedule.judge(), Ok(()));
    assert_eq!(confirmed, schedule.tried.len(), "one round of all sizes");
}

#[test]
fn the_processor_counts_where_the_boundary_works_and_the_wall_where_it_waits() {
    let own = |size: f64| micros(size / 1_000.0);
    // Work of its own is linear, and the machine is busy, most of all with the longest tries: no fault of the boundary.
    let busy = |size: f64, _| Took { wall: own(size).mul_f64(1.0 + size / 4e6), cpu: Some(own(size)) };
    assert_eq!(through_by(busy).0.judge(), Ok(()));
    // It waits for another that does quadratic work.
    let waits = |size: f64, _| Took { wall: micros((size / 4_096.0).powi(2)), cpu: Some(micros(20.0)) };
    assert!(through_by(waits).0.judge().is_err());
    // A system that tells no time of the processor.
    let untold = |size: f64, _| Took { wall: micros((size / 4_096.0).powi(2)), cpu: None };
    assert!(through_by(untold).0.judge().is_err());
    let untold = |size: f64, _| Took { wall: own(size), cpu: None };
    assert_eq!(through_by(untold).0.judge(), Ok(()));
}

#[test]
fn what_is_made_once_for_all_calls_is_no_growth() {
    let exchange = |took| Exchange {
        sent: Stimulus::text(""),
        outcome: boundary_contract::Delivery::new("", "").into(),
        said: Vec::new(),
        took,
    };
    let exchanges: Vec<Exchange> =
        [9_000.0, 1.0, 65.0].map(|took| exchange(Took { wall: micros(took), cpu: Some(micros(took)) })).into();
    let schedule = Schedule::after(GROWTH, &exchanges);
    let best: Vec<_> = schedule.tried.iter().map(|tried| (tried.size, tried.best.wall)).collect();
    assert_eq!(best, [(0, micros(1.0)), (1 << 16, micros(65.0))]);
}
