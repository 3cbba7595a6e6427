//! Holding a boundary to its claims inside an ordinary test.

use boundary_kit::canary::Smallest;
use boundary_kit::saboteur::useless::Useless;

#[test]
fn a_good_boundary_is_left_alone() {
    boundary_kit::assert_conforms(|| Smallest);
}

#[test]
fn a_bad_one_panics_with_the_whole_report() {
    let panic =
        std::panic::catch_unwind(|| boundary_kit::assert_conforms(|| Useless::PassThrough.instead_of(Smallest)));
    let words = panic.unwrap_err().downcast_ref::<String>().cloned().unwrap();
    assert!(words.starts_with("the boundary does not conform\n"), "{words}");
    assert!(words.contains("FAIL envelope/exactly-one") && words.contains("\nnonconformant: "), "{words}");
    assert!(words.contains("rerun     cargo test -- --exact 'a_bad_one_panics_with_the_whole_report'"), "{words}");
    assert!(words.chars().all(|c| c == '\n' || matches!(c, ' '..='~')), "{words}");
}
