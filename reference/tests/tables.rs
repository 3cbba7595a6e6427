//! What the reference's own tables lack of the corpus, by id.

use boundary_contract::{Boundary as _, Call, FindingKind, Payload, Tool};
use boundary_corpus::{Class, corpus};
use boundary_reference::Reference;

#[test]
fn no_structural_turn_marker_is_lacking() {
    let (reference, tool) = (Reference::default(), Tool::new("read_page"));
    let markers = corpus().marker_families().iter().flat_map(|family| &family.markers);
    let lacking: Vec<&str> = markers
        .filter(|marker| marker.class == Class::Structural)
        .filter(|marker| {
            let page = Payload::from(format!("before {} after", marker.text));
            reference.checked(&Call::new(&tool, &page)).unwrap().text.contains(&marker.text)
        })
        .map(|marker| marker.id.as_str())
        .collect();
    assert!(lacking.is_empty(), "not neutralised: {lacking:?}");
}

#[test]
fn no_kind_of_order_is_lacking() {
    let kinds = Reference::default().describe().kinds.unwrap();
    let lacking: Vec<&FindingKind> = FindingKind::ALL.iter().filter(|kind| !kinds.contains_key(kind)).collect();
    assert!(lacking.is_empty(), "no heuristic for: {lacking:?}");
}
