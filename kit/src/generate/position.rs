//! The positions of a result at which a forged marker may stand.

use boundary_contract::Payload;
use serde_json::json;

/// Ordinary text before a marker.
const BEFORE: &str = "Delivery note, page one.";
/// Ordinary text after one.
const AFTER: &str = "Signed at the gate.";

/// A marker at a position of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Positioned {
    /// The position: a permanent part of what failures say.
    pub name: &'static str,
    /// The whole result.
    pub payload: Payload,
    /// What stands around the marker and must still be there.
    pub keeps: Vec<String>,
}

/// A marker at every position; those in structure only where `structured`.
#[must_use]
pub fn positions(marker: &str, structured: bool) -> Vec<Positioned> {
    let positioned = |name, payload: Payload, keeps: &[&str]| {
        let keeps = keeps.iter().map(|text| (*text).to_owned()).collect();
        Positioned { name, payload, keeps }
    };
    let mut all = vec![
        positioned("whole-value", marker.into(), &[]),
        positioned("first-byte", format!("{marker}\n{AFTER}").into(), &[AFTER]),
        positioned("last-byte", format!("{BEFORE}\n{marker}").into(), &[BEFORE]),
        positioned("back-to-back", format!("{BEFORE}\n{marker}{marker}\n{AFTER}").into(), &[BEFORE, AFTER]),
        positioned("in-a-line", format!("{BEFORE} {marker} {AFTER}").into(), &[BEFORE]),
    ];
    if structured {
        let both = &[BEFORE, AFTER][..];
        all.extend([
            positioned("field", json!({"a": BEFORE, "note": marker, "z": AFTER}).into(), both),
            positioned("first-item", json!([marker, BEFORE, AFTER]).into(), both),
            positioned("last-item", json!([BEFORE, AFTER, marker]).into(), both),
            positioned(
                "nested-field",
                json!({"a": BEFORE, "pages": [{"lines": ["one", marker]}], "z": AFTER}).into(),
                both,
            ),
            positioned("object-key", json!({"a": BEFORE, marker: 1, "z": AFTER}).into(), both),
            positioned("nested-object-key", json!([BEFORE, {"page": {marker: [1]}}, AFTER]).into(), both),
            positioned("key-and-value", json!({"a": BEFORE, marker: marker, "z": AFTER}).into(), both),
        ]);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_position_holds_the_marker_and_what_is_kept() {
        let all = positions("zq7", true);
        assert_eq!(all.iter().map(|at| at.name).collect::<BTreeSet<_>>().len(), all.len());
        for Positioned { name, payload, keeps } in &all {
            let text = payload.to_text();
            assert!(text.contains("zq7") && keeps.iter().all(|kept| text.contains(kept)), "{name}");
        }
        assert!(positions("zq7", false).iter().all(|at| at.payload.as_str().is_some()));
    }
}
