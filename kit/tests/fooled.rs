//! Boundaries that try to look good: each is red, in the requirement that it would cheat.

use std::sync::atomic::{AtomicBool, Ordering};

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Finding, Grammar, OnForgery, OnSuspicion, Outcome,
    Payload, Refusal, RefusalKind, Token, Units, boundary_fn,
};
use boundary_kit::report::Terminal;
use boundary_kit::runner::{Options, Report, RunVerdict, Status};

#[path = "designs/good.rs"]
#[allow(dead_code, reason = "each test target uses some of the designs")]
mod good;
#[path = "designs/parts.rs"]
#[allow(dead_code, reason = "each test target uses some of the parts")]
mod parts;

use parts::{Design, described};

fn check(boundary: &dyn Boundary, only: &[&str]) -> (Report, String) {
    let mut options = Options::default();
    options.only = only.iter().map(|pattern| pattern.parse().unwrap()).collect();
    let mut out = Vec::new();
    let report = boundary_kit::check_with(boundary, &options, &mut Terminal::new(&mut out, false)).unwrap();
    (report, String::from_utf8(out).unwrap())
}

/// Asserts that a requirement fails, and for nothing that is not named.
fn assert_red(boundary: &dyn Boundary, requirement: &str, words: &str) {
    let (report, shown) = check(boundary, &[requirement]);
    assert_eq!(report.verdict, RunVerdict::Nonconformant, "{shown}");
    assert!(report.rows.iter().any(|row| row.status == Status::Fail), "{shown}");
    assert!(shown.contains(words), "{words:?} is not in:\n{shown}");
}

/// A good design with its deliveries changed.
fn delivering(design: Design, change: impl Fn(&Call<'_>, &mut Delivery) + Send + Sync) -> impl Boundary {
    boundary_fn(design.describe(), move |call: &Call<'_>| {
        let mut outcome = design.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            change(call, delivery);
        }
        Ok(outcome)
    })
}

/// A good design that is shown another value than the tool returned.
fn shown(design: Design, change: impl Fn(&Payload) -> Payload + Send + Sync) -> impl Boundary {
    boundary_fn(design.describe(), move |call: &Call<'_>| {
        let payload = change(&*call.payload()?);
        let mut changed = call.clone();
        changed.input = (&payload).into();
        design.check(&changed)
    })
}

fn each_text(change: fn(&str) -> String) -> impl Fn(&Payload) -> Payload {
    move |payload| payload.map_strings(|text| Some(change(text)))
}

#[test]
fn what_removes_too_much_is_red() {
    let to_the_bracket = |text: &str| text.split('<').next().unwrap_or_default().to_owned();
    assert_red(
        &shown(good::dotted_paths(), each_text(to_the_bracket)),
        "forgery/legitimate-text-survives",
        "a text of",
    );
    assert_red(&shown(good::dotted_paths(), each_text(to_the_bracket)), "forgery/turn-markers", "no word of index 1");
    let ascii = |text: &str| text.chars().filter(char::is_ascii).collect();
    assert_red(&shown(good::dotted_paths(), each_text(ascii)), "forgery/legitimate-text-survives", "a text of");
}

#[test]
fn what_neutralises_too_little_is_red() {
    let exact = |text: &str| text.replace("<|im_start|>", "_").replace("</tool-data>", "_");
    let exact_case = |call: &Call<'_>| -> Result<Outcome, AdapterFault> {
        let text = exact(&call.payload()?.to_text());
        Ok(Delivery::new(text.clone(), text).into())
    };
    let description = described("exact", &[Claim::Neutralise]);
    assert_red(&boundary_fn(description, exact_case), "forgery/survives-reading", "read as folded");
    let keys = |payload: &Payload| {
        payload.map_strings(|text| text.contains("<|im_start|>").then(|| text.replace("<|im_start|>", "zq7")))
    };
    let in_keys = boundary_fn(good::only_neutralises().describe(), move |call: &Call<'_>| {
        let payload = call.payload()?;
        let hostile = payload.tokens().any(|token| matches!(token, Token::Key(key) if key.contains("<|im_start|>")));
        let inner = if hostile { keys(&payload) } else { payload.into_owned() };
        let mut changed = call.clone();
        changed.input = (&inner).into();
        let mut outcome = good::only_neutralises().check(&changed)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.rendered = delivery.rendered.replace("zq7", "<|im_start|>");
            delivery.text = delivery.text.replace("zq7", "<|im_start|>");
        }
        Ok(outcome)
    });
    assert_red(&in_keys, "forgery/everywhere", "the marker `chatml-im-start`");
}

#[test]
fn a_text_that_is_not_the_rendered_one_is_red() {
    let raw = |call: &Call<'_>, delivery: &mut Delivery| delivery.text = call.payload().unwrap().to_text();
    assert_red(&delivering(good::dotted_paths(), raw), "envelope/text-is-content", "envelope/text-is-content/hostile");
    let blank = |_: &Call<'_>, delivery: &mut Delivery| delivery.rendered.clear();
    assert_red(
        &delivering(good::only_neutralises(), blank),
        "forgery/turn-markers",
        "`text`, somewhere in the rendering",
    );
}

#[test]
fn what_delivers_nothing_where_nobody_asked_for_an_envelope_is_red() {
    let nothing = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.rendered.clear();
        delivery.text.clear();
    };
    assert_red(&delivering(good::only_types(), nothing), "type/valid-delivered", "the value, rendered");
    assert_red(&delivering(good::only_depth(), nothing), "depth/at-the-ceiling", "the innermost value, rendered");
}

#[test]
fn canned_text_for_what_is_benign_is_red() {
    let canned = |_: &Call<'_>, delivery: &mut Delivery| {
        if delivery.findings.is_empty() {
            delivery.rendered = "The page was clean.".to_owned();
            delivery.text.clone_from(&delivery.rendered);
        }
    };
    assert_red(&delivering(good::only_flags(), canned), "benign/core", "a text of");
}

#[test]
fn findings_that_lead_nowhere_are_red() {
    let nowhere = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.findings.iter_mut().for_each(|finding| finding.path.clear());
    };
    assert_red(&delivering(good::dotted_paths(), nowhere), "flag/path/field", "a path to `/body`");
    let beyond = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.findings.iter_mut().for_each(|finding| finding.end = finding.end.map(|end| end + 1));
    };
    assert_red(
        &delivering(good::dotted_paths(), beyond),
        "flag/path/after-wide-characters",
        "a span within a field of",
    );
    let elsewhere = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.findings.iter_mut().for_each(|finding| finding.end = finding.end.map(|_| 1));
    };
    assert_red(
        &delivering(good::dotted_paths(), elsewhere),
        "flag/path/after-wide-characters",
        "a span that meets 101 to 167",
    );
    let half = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.findings.iter_mut().for_each(|finding| finding.end = None);
    };
    assert_red(
        &delivering(good::dotted_paths(), half),
        "flag/path/after-wide-characters",
        "both ends of a span, or neither",
    );
}

#[test]
fn spans_in_another_unit_than_the_described_one_are_red() {
    for (design, units) in [(good::counts_bytes(), "chars"), (good::dotted_paths(), "bytes")] {
        let mut description = design.describe();
        description.units = units.parse().unwrap();
        // A span over the order alone, counted as the design counts.
        let narrow = delivering(design, |call, delivery| {
            let payload = call.payload().unwrap();
            let Some(field) = payload.pointer("/body").and_then(|view| view.as_str()) else { return };
            let Some(at) = field.find("Ignore all previous") else { return };
            let bytes = delivery.findings.iter().any(|finding| finding.end == u64::try_from(field.len()).ok());
            let from = if bytes { at } else { field[..at].chars().count() };
            let from = u64::try_from(from).unwrap();
            delivery
                .findings
                .iter_mut()
                .for_each(|finding| (finding.start, finding.end) = (Some(from), Some(from + 19)));
        });
        let misdescribed = boundary_fn(description, move |call: &Call<'_>| narrow.check(call));
        assert_red(&misdescribed, "flag/path", "flag/path/after-wide-characters");
    }
}

#[test]
fn what_flags_by_place_or_by_look_is_red() {
    let spaced_keys = delivering(good::dotted_paths(), |call, delivery| {
        let spaced = |token: Token<'_>| matches!(token, Token::Key(key) if key.contains(' '));
        if call.payload().unwrap().tokens().any(spaced) {
            delivery.findings = vec![Finding::new("override", "{key}")];
        }
    });
    assert_red(&spaced_keys, "benign/twins", "benign/twins/twin-of-place-object-key");
    let imperatives = delivering(good::only_flags(), |call, delivery| {
        let text = call.payload().unwrap().to_text();
        if ["Ignore", "Disregard", "Forget", "Send", "Do ", "Please"].iter().any(|verb| text.contains(verb)) {
            delivery.findings = vec![Finding::new("override", "")];
        }
    });
    assert_red(&imperatives, "benign/*", "no finding");
}

#[test]
fn a_refusal_for_another_reason_than_forgery_is_red_where_forgery_is_refused() {
    let design = good::refuses_forgery();
    let wary = boundary_fn(design.describe(), move |call: &Call<'_>| {
        if call.payload()?.to_text().contains(|c: char| c.is_control() && c != '\n') {
            return Ok(Refusal::new(RefusalKind::Suspicion, "odd characters").into());
        }
        design.check(call)
    });
    assert_eq!(wary.describe().on_forgery, OnForgery::Refuse);
    assert_red(&wary, "forgery/null-and-controls", "a refusal of kind `suspicion`");
}

#[test]
fn a_key_with_a_space_is_no_reason_to_refuse() {
    let design = good::dotted_paths();
    let wary = boundary_fn(design.describe(), move |call: &Call<'_>| {
        if call.payload()?.tokens().any(|token| matches!(token, Token::Key(key) if key.contains(' '))) {
            return Ok(Refusal::new(RefusalKind::Suspicion, "odd keys").into());
        }
        design.check(call)
    });
    assert_red(&wary, "flag/every-place", "flag/every-place/object-key");
}

#[test]
fn another_payload_for_the_host_is_red() {
    let without_orders = delivering(good::dotted_paths(), |_, delivery| {
        if !delivery.findings.is_empty() {
            delivery.payload = Some(Payload::from("removed"));
        }
    });
    assert_red(&without_orders, "forgery/payload-kept", "forgery/payload-kept/order");
}

#[test]
fn an_envelope_that_says_more_than_it_should_is_red() {
    let extra = delivering(good::constant_source(), |_, delivery| {
        delivery.rendered = delivery.rendered.replacen("<untrusted-data", "<untrusted-data verified=\"yes\"", 1);
    });
    assert_red(&extra, "envelope/exactly-one", "an undeclared attribute");
    let mut description = good::constant_source().describe();
    if let Some(Grammar::Tag(tag)) = &mut description.envelope {
        tag.extra.insert("trust".to_owned(), "trusted".to_owned());
    }
    assert_red(&Design::new(description), "envelope/trust-is-untrusted", "`untrusted`");
    let always_cut = delivering(good::dotted_paths(), |_, delivery| delivery.truncated = true);
    assert_red(&always_cut, "envelope/truncation-shown", "marked as whole");
}

#[test]
fn a_name_that_ends_its_own_slot_is_red() {
    let design = good::nonce_fresh();
    let unescaped = boundary_fn(design.describe(), move |call: &Call<'_>| {
        let mut tool = call.tool.clone();
        let source = tool.source.replace("zq7".to_owned());
        let mut changed = call.clone();
        changed.tool = &tool;
        let mut outcome = design.check(&changed)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.rendered = delivery.rendered.replace("zq7", &source.unwrap_or_default());
        }
        Ok(outcome)
    });
    assert_red(&unescaped, "envelope/attributes-hold", "envelope/attributes-hold/own-delimiter-in-source");
}

#[test]
fn a_place_that_is_not_the_violations_is_red() {
    for at in ["", "/somewhere", "/items/0/name"] {
        let lost = boundary_fn(Smallest.describe(), move |call: &Call<'_>| {
            let mut outcome = Smallest.check(call)?;
            if let Outcome::Refused(refusal) = &mut outcome {
                refusal.at = Some(at.to_owned());
            }
            Ok(outcome)
        });
        assert_red(&lost, "type/names-tool-and-violation", "the place `");
    }
}

#[test]
fn a_marker_family_that_nobody_knows_is_no_pass() {
    let mut description = good::some_markers().describe();
    description.markers = Some(["chatlm".to_owned()].into());
    let (report, shown) = check(&Design::new(description.clone()), &[]);
    assert_eq!(report.verdict, RunVerdict::NothingRan, "{shown}");
    assert!(shown.contains("the marker family `chatlm`, which nobody knows; nearest: chatml"), "{shown}");
    description.markers = Some([].into());
    let (report, shown) = check(&Design::new(description), &["forgery/turn-markers"]);
    assert_eq!(report.verdict, RunVerdict::NothingRan, "{shown}");
}

#[test]
fn a_ceiling_without_end_is_neither_waited_for_nor_a_fault_of_the_kit() {
    let mut description = Smallest.describe();
    description.defaults.max_chars = u64::MAX;
    description.defaults.max_depth = u64::MAX;
    description.claims.remove(&Claim::Policy);
    let endless = boundary_fn(description, |call: &Call<'_>| Smallest.check(call));
    let (report, shown) =
        check(&endless, &["envelope/truncation-shown", "envelope/every-delivery", "depth/at-the-ceiling"]);
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    let counted: Vec<usize> = report.rows.iter().map(|row| row.cases).collect();
    assert_eq!(counted, [14, 0, 0], "{shown}");
}

#[test]
fn a_low_ceiling_excuses_only_what_it_cut() {
    let silent = delivering(good::narrow(), |_, delivery| {
        if delivery.truncated {
            delivery.truncated = false;
        }
    });
    assert_red(&silent, "flag/still-delivered", "a text of");
    let lossy = delivering(good::narrow(), |call, delivery| {
        if call.payload().unwrap().to_text().len() < 60 {
            delivery.rendered = delivery.rendered.replace(&delivery.text, "cut");
            delivery.truncated = true;
        }
    });
    assert_red(&lossy, "forgery/legitimate-text-survives", "a text of");
    let shallow = boundary_fn(good::narrow().describe(), |call: &Call<'_>| match call.payload()?.depth() {
        0 => good::narrow().check(call),
        _ => Ok(Refusal::new(RefusalKind::Depth, "a container").into()),
    });
    assert_red(&shallow, "benign/*", "a refusal of kind `depth`");
}

#[test]
fn a_panic_that_panics_again_when_it_is_dropped_is_one_failed_case() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "again");
        }
    }
    let bomb = boundary_fn(Smallest.describe(), |_: &Call<'_>| std::panic::panic_any(Bomb));
    assert_red(&bomb, "envelope/exactly-one", "a panic");
}

#[test]
fn a_boundary_that_describes_itself_only_once_is_judged_by_that() {
    struct Once(AtomicBool);
    impl Boundary for Once {
        fn describe(&self) -> Description {
            assert!(!self.0.swap(true, Ordering::Relaxed), "asked twice");
            Smallest.describe()
        }
        fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
            Smallest.check(call)
        }
    }
    let (report, shown) = check(&Once(AtomicBool::new(false)), &["benign/core", "flag/override"]);
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
}

#[test]
fn a_described_end_of_the_scan_excuses_no_envelope() {
    let mut description = Description::new("short-sighted", "1").claim(Claim::Envelope);
    description.envelope = Some(Grammar::tag("tool-data"));
    description.scan_chars = Some(1);
    let open = boundary_fn(description, |call: &Call<'_>| {
        let text = call.payload()?.to_text();
        let mut delivery = Delivery::new(format!("<tool-data>\n{text}\n</tool-data>"), text);
        delivery.truncated = true;
        Ok(delivery.into())
    });
    assert_red(&open, "envelope/close-neutralised", "closing marker");
}

#[test]
fn a_boundary_that_flags_no_kind_of_order_is_no_pass() {
    let mut description = Description::new("blind", "1").claim(Claim::Flag);
    description.kinds = Some(std::collections::BTreeMap::new());
    let blind = boundary_fn(description, |call: &Call<'_>| {
        let text = call.payload()?.to_text();
        Ok(Delivery::new(text.clone(), text).into())
    });
    let (report, shown) = check(&blind, &[]);
    assert_eq!(report.verdict, RunVerdict::NothingRan, "{shown}");
    assert!(shown.contains("names no kind of order that it flags"), "{shown}");
}

#[test]
fn a_value_that_only_the_model_sees_repaired_is_red() {
    let trimmed = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        let trimmed = call.payload()?.map_strings(|text| Some(text.trim().to_owned()));
        let mut changed = call.clone();
        changed.input = (&trimmed).into();
        let mut outcome = Smallest.check(&changed)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.payload = Some(call.payload()?.into_owned());
        }
        Ok(outcome)
    });
    assert_red(&trimmed, "type/no-repair", "another JSON value");
}

#[test]
fn a_refusal_that_speaks_of_return_types_names_no_keyword() {
    let vague = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        let mut outcome = Smallest.check(call)?;
        if let Outcome::Refused(refusal) = &mut outcome {
            refusal.message = format!("`{}` broke its return type", call.tool.name);
            refusal.violated = None;
        }
        Ok(outcome)
    });
    assert_red(&vague, "type/names-tool-and-violation", "the keyword `type`");
}

#[test]
fn a_ceiling_in_other_units_than_described_is_red() {
    let described = |design: Design, units| {
        let mut description = design.describe();
        description.units = units;
        boundary_fn(description, move |call: &Call<'_>| design.check(call))
    };
    assert_red(&described(good::counts_bytes(), Units::Chars), "ceiling/exact", "the mark of a cut");
    assert_red(&described(good::dotted_paths(), Units::Bytes), "ceiling/cut-and-marked", "bytes of content");
    assert_red(&described(good::dotted_paths(), Units::Utf16), "ceiling/cut-and-marked", "utf16 of content");
}

/// A filter that keeps the beginning and the end of a long text, with this between them, or the beginning
/// alone where there is no room for three parts.
fn head_and_tail(between: &'static str) -> impl Boundary {
    let description = described("head-and-tail", &[Claim::Neutralise, Claim::Ceiling, Claim::Policy]);
    let filter = good::only_neutralises();
    boundary_fn(description, move |call: &Call<'_>| {
        let mut outcome = filter.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            let max_chars = usize::try_from(call.policy_in_force().max_chars.unwrap_or(8_000)).unwrap_or(usize::MAX);
            let characters: Vec<char> = delivery.text.chars().collect();
            if characters.len() > max_chars {
                delivery.text = match max_chars.checked_sub(between.len()).filter(|room| *room > 8) {
                    Some(room) => {
                        let tail = &characters[characters.len() - (room - room / 2)..];
                        let [head, tail] = [&characters[..room / 2], tail].map(|part| part.iter().collect::<String>());
                        head + between + &tail
                    }
                    None => characters[..max_chars].iter().collect(),
                };
                delivery.rendered.clone_from(&delivery.text);
                delivery.truncated = true;
            }
        }
        Ok(outcome)
    })
}

#[test]
fn a_head_and_a_tail_are_a_cut_and_what_joins_them_into_a_marker_is_red() {
    let (report, shown) = check(&head_and_tail(" (cut) "), &["ceiling/*"]);
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    assert!(!shown.contains("FAIL"), "{shown}");
    assert_red(&head_and_tail(""), "ceiling/cut-builds-nothing", "the marker `");
}

#[test]
fn half_an_emoji_as_an_escape_is_red() {
    let half = |_: &Call<'_>, delivery: &mut Delivery| {
        if delivery.truncated {
            delivery.rendered = delivery.rendered.replace("\n</tool-data>", "\\ud83d\n</tool-data>");
        }
    };
    assert_red(&delivering(good::tag_with_json(), half), "ceiling/valid-text", "the inside of a JSON string");
}

#[test]
fn what_cuts_at_the_last_match_is_red() {
    let design = good::dotted_paths();
    let last = boundary_fn(design.describe(), move |call: &Call<'_>| {
        let mut annotated = call.clone();
        let truncates = call.policy_in_force().on_suspicion == Some(OnSuspicion::Truncate);
        if truncates {
            annotated.policy.on_suspicion = Some(OnSuspicion::Annotate);
        }
        let mut outcome = design.check(&annotated)?;
        if let Outcome::Delivered(delivery) = &mut outcome
            && let Some(at) = delivery.text.rfind("Ignore all").filter(|_| truncates)
        {
            let cut = delivery.text[..at].to_owned();
            delivery.rendered = delivery.rendered.replace(&delivery.text, &cut);
            delivery.text = cut;
            delivery.truncated = true;
        }
        Ok(outcome)
    });
    assert_red(&last, "policy/truncate", "policy/truncate/several");
}

#[test]
fn a_tool_that_gets_the_policy_of_a_like_name_is_red() {
    let design = good::dotted_paths();
    let by_prefix = boundary_fn(design.describe(), move |call: &Call<'_>| {
        let mut changed = call.clone();
        if let Some((_, policy)) = call.per_tool.iter().find(|(name, _)| call.tool.name.starts_with(name.as_str())) {
            changed.per_tool.insert(call.tool.name.clone(), *policy);
        }
        design.check(&changed)
    });
    assert_red(&by_prefix, "policy/per-tool", "policy/per-tool/near-name-shorter");
}

#[test]
fn an_off_switch_that_only_annotates_what_is_to_be_refused_is_red() {
    let design = good::fails_by_default();
    let lenient = boundary_fn(design.describe(), move |call: &Call<'_>| {
        let mut changed = call.clone();
        if call.policy.on_suspicion == Some(OnSuspicion::Off) {
            changed.policy.on_suspicion = Some(OnSuspicion::Annotate);
        }
        design.check(&changed)
    });
    assert_red(&lenient, "policy/no-off-switch", "or what the default does");
}

#[test]
fn a_guard_that_tidies_and_one_that_gives_no_reason_are_red() {
    let tidies = |_: &Call<'_>, delivery: &mut Delivery| {
        delivery.text = delivery.text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        delivery.rendered.clone_from(&delivery.text);
    };
    assert_red(&delivering(good::marks_and_keeps(), tidies), "guard/text-unchanged", "white-space-around");
    let later = |call: &Call<'_>, delivery: &mut Delivery| {
        if call.payload().is_ok_and(|payload| payload.to_text().len() > 70) {
            delivery.reason = None;
        }
    };
    assert_red(&delivering(good::marks_and_keeps(), later), "guard/reason", "a reason for a flagged text");
}
