//! Boundaries that read JSON text in other ways than the kit's own: good ones pass, and bad ones are red.

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{
    AdapterFault, Boundary, Call, Delivery, Input, Outcome, Payload, Refusal, RefusalKind, Token, boundary_fn,
};
use boundary_kit::runner::{RunVerdict, Status};

mod asked;

use asked::{assert_red, check};

fn assert_green(boundary: &dyn Boundary) {
    let (report, shown) = check(boundary, "type/*");
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    assert!(report.rows.iter().all(|row| row.status == Status::Pass && row.cases > 0), "{shown}");
}

type Answer = Result<Outcome, AdapterFault>;

/// A boundary that reads text so and leaves the rest to the kit's own.
fn reading(read: impl Fn(&Call<'_>, &str) -> Answer + Send + Sync) -> impl Boundary {
    boundary_fn(Smallest.describe(), move |call: &Call<'_>| match call.input {
        Input::Raw(text) => read(call, text),
        _ => Smallest.check(call),
    })
}

fn malformed() -> Answer {
    Ok(Refusal::new(RefusalKind::Malformed, "the result is not JSON").into())
}

/// What the kit's own boundary says to this value.
fn of_value(call: &Call<'_>, value: &Payload) -> Answer {
    let mut changed = call.clone();
    changed.input = value.into();
    Smallest.check(&changed)
}

/// The value with the last of equal keys, as `serde_json` and most readers have it; nothing deeper than they go.
fn last_wins(text: &str) -> Option<Payload> {
    serde_json::from_str(text).ok()
}

#[test]
fn who_keeps_the_last_key_alone_and_says_so_in_what_is_delivered_passes() {
    assert_green(&reading(|call, text| last_wins(text).map_or_else(malformed, |value| of_value(call, &value))));
}

#[test]
fn who_refuses_equal_keys_passes() {
    assert_green(&reading(|call, text| {
        let kept = |payload: &Payload| payload.tokens().filter(|token| matches!(token, Token::Key(_))).count();
        let outcome = Smallest.check(call)?;
        let whole = outcome.delivered().and_then(|delivery| delivery.payload.as_ref()).map(kept);
        if whole.is_some() && whole != last_wins(text).as_ref().map(kept) { malformed() } else { Ok(outcome) }
    }));
}

#[test]
fn who_scans_one_reading_and_delivers_the_text_is_red() {
    let as_it_came = reading(|call, text| {
        let Some(value) = last_wins(text) else { return malformed() };
        let mut outcome = of_value(call, &value)?;
        if let (Outcome::Delivered(delivery), Outcome::Delivered(whole)) = (&mut outcome, Smallest.check(call)?) {
            delivery.text = whole.text;
            delivery.rendered = whole.rendered;
        }
        Ok(outcome)
    });
    assert_red(&as_it_came, "type/duplicate-keys", "type/duplicate-keys/order-first");
    let (report, shown) = check(&as_it_came, "type/duplicate-keys");
    let failed = &report.rows[0].failures;
    assert!(!failed.iter().any(|failure| failure.case.contains("twin-of")), "{shown}");
    assert!(failed.iter().any(|failure| failure.case.ends_with("json-text-order-in-the-first")), "{shown}");
    assert!(failed.iter().any(|failure| failure.case.ends_with("/key-spelled-with-an-escape")), "{shown}");
}

#[test]
fn who_hands_the_host_what_was_not_scanned_is_red() {
    let hoarding = reading(|call, text| {
        let Some(value) = last_wins(text) else { return malformed() };
        let mut outcome = of_value(call, &value)?;
        if let (Outcome::Delivered(delivery), Outcome::Delivered(whole)) = (&mut outcome, Smallest.check(call)?) {
            delivery.payload = whole.payload;
        }
        Ok(outcome)
    });
    assert_red(&hoarding, "type/duplicate-keys/order-first", "of payload");
}

#[test]
fn who_refuses_all_text_or_takes_all_of_it_is_red() {
    assert_red(&reading(|_, _| malformed()), "type/malformed-refused", "type/malformed-refused/valid-null");
    let lenient = reading(|call, text| of_value(call, &last_wins(text).unwrap_or_else(|| text.into())));
    assert_red(&lenient, "type/malformed-refused", "a refusal of kind `malformed`");
    let emptied = reading(|_, _| Ok(Delivery::new("", "").into()));
    assert_red(&emptied, "type/duplicate-keys", "type/duplicate-keys/twin-of-");
}

#[test]
fn an_error_of_the_parser_that_quotes_is_red() {
    let quoting = reading(|call, text| match serde_json::from_str::<Payload>(text) {
        Ok(value) => of_value(call, &value),
        Err(error) => {
            let near: String = text.chars().skip(error.column().saturating_sub(30)).take(30).collect();
            Ok(Refusal::new(RefusalKind::Malformed, format!("{error}, near {near}")).into())
        }
    });
    assert_red(&quoting, "type/malformed-refused", "of message");
}

#[test]
fn a_text_too_deep_to_read_may_be_refused_for_that_and_for_nothing_else() {
    let deep = |text: &str| text.len() > 50_000;
    assert_green(&reading(move |call, text| match deep(text) {
        true => Ok(Refusal::new(RefusalKind::Depth, "deeper than 8").into()),
        false => Smallest.check(call),
    }));
    let suspicious = reading(move |call, text| match deep(text) {
        true => Ok(Refusal::new(RefusalKind::Suspicion, "too many brackets").into()),
        false => Smallest.check(call),
    });
    assert_red(&suspicious, "type/malformed-refused", "type/malformed-refused/unclosed-arrays");
}
