//! Where a finding points, in each of the three ways in which a path may be written.

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Into the member of this key.
    Key(String),
    /// To the item at this index, or to the member whose key is this number: a pointer says both alike.
    Index(usize),
}

/// What stands for a key that is withheld.
const WITHHELD: &str = "{key}";

/// The steps of a JSON Pointer (RFC 6901). Text without its leading `/` is read as if it had one.
#[must_use]
pub fn place(pointer: &str) -> Vec<Segment> {
    steps(pointer)
        .map(|step| {
            // `01` is a key: no index is written so.
            let index = (step == "0" || !step.starts_with(['0', '+'])).then(|| step.parse().ok()).flatten();
            index.map_or(Segment::Key(step), Segment::Index)
        })
        .collect()
}

fn steps(pointer: &str) -> impl Iterator<Item = String> {
    let steps = (!pointer.is_empty()).then(|| pointer.strip_prefix('/').unwrap_or(pointer).split('/'));
    steps.into_iter().flatten().map(|step| step.replace("~1", "/").replace("~0", "~"))
}

/// Whether a finding's path leads to the place of a JSON Pointer.
///
/// The path may be a JSON Pointer, dotted (`hits.3.body`) or bracketed (`hits[3].body`,
/// `hits["a b"]`), and may begin with `$` or with the described root. The segment `{key}` stands for
/// any one member. The empty path, `$` and the root alone are the whole value.
#[must_use]
pub fn leads_to(path: &str, pointer: &str, root: Option<&str>) -> bool {
    let steps: Vec<String> = steps(pointer).collect();
    let spelled = |path: &str| as_pointer(path, &steps) || as_steps(path, &steps);
    // A key may be spelled like the root, so the path as it is counts too.
    let below = |root: &str| {
        let rest = path.strip_prefix(root).or_else(|| path.strip_prefix('/')?.strip_prefix(root))?;
        (rest.is_empty() || rest.starts_with(['/', '.', '['])).then_some(rest)
    };
    spelled(path) || root.and_then(below).is_some_and(spelled) || below("$").is_some_and(spelled)
}

/// Whether a path is a JSON Pointer to these steps.
fn as_pointer(path: &str, wanted: &[String]) -> bool {
    if path.is_empty() || !path.starts_with('/') {
        return path.is_empty() && wanted.is_empty();
    }
    let mut given = steps(path);
    wanted.iter().all(|step| given.next().is_some_and(|given| given == *step || given == WITHHELD))
        && given.next().is_none()
}

/// Whether a path spells these steps with dots and brackets.
///
/// The steps are known and the path is not, so each step is looked for where the last one ended; a key
/// with a dot or a bracket in it needs no guessing where it ends.
fn as_steps(path: &str, steps: &[String]) -> bool {
    // The bytes at which the steps so far may have ended. An empty key can end in more than one place.
    let mut ends = vec![0];
    for (index, step) in steps.iter().enumerate() {
        let mut next = Vec::new();
        for end in ends {
            for step in [step.as_str(), WITHHELD] {
                spellings(&path[end..], step, index == 0, |length| next.push(end + length));
            }
        }
        next.sort_unstable();
        next.dedup();
        ends = next;
    }
    ends.contains(&path.len())
}

/// The lengths of what spells a step at the start of a text. Where a longer word stands there, what
/// follows is no next step, which begins with a dot or a bracket, and not the end.
fn spellings(text: &str, step: &str, first: bool, mut found: impl FnMut(usize)) {
    let bracketed =
        |open: &str, inside: &str, close: &str| text.strip_prefix(open)?.strip_prefix(inside)?.strip_prefix(close);
    let escaped = step.replace('\\', "\\\\").replace('"', "\\\"");
    let rests = [
        first.then(|| text.strip_prefix(step)).flatten(),
        text.strip_prefix('.').and_then(|text| text.strip_prefix(step)),
        bracketed("[", step, "]"),
        bracketed("[\"", step, "\"]"),
        bracketed("['", step, "']"),
        bracketed("[\"", &escaped, "\"]"),
    ];
    rests.into_iter().flatten().for_each(|rest| found(text.len() - rest.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_read_as_its_rfc_says() {
        let key = |text: &str| Segment::Key(text.to_owned());
        assert_eq!(place(""), []);
        assert_eq!(place("/"), [key("")]);
        assert_eq!(place("/hits/3/a~1b/~0/~01"), [key("hits"), Segment::Index(3), key("a/b"), key("~"), key("~1")]);
        assert_eq!(
            place("/01/0/+1/-1/99999999999999999999999"),
            [key("01"), Segment::Index(0), key("+1"), key("-1"), key("99999999999999999999999")]
        );
    }

    #[test]
    fn each_style_leads_to_the_field() {
        for (path, pointer, root) in [
            ("", "", None),
            ("$", "", None),
            ("result", "", Some("result")),
            ("", "", Some("result")),
            ("/hits/3/body", "/hits/3/body", None),
            ("/hits/a~1b", "/hits/a~1b", None),
            ("hits.3.body", "/hits/3/body", None),
            (".hits[3].body", "/hits/3/body", None),
            ("hits[3].body", "/hits/3/body", None),
            ("hits[3][\"body\"]", "/hits/3/body", None),
            ("hits['3'].body", "/hits/3/body", None),
            ("[3].body", "/3/body", None),
            ("3.body", "/3/body", None),
            ("$.hits[3]", "/hits/3", None),
            ("$[3]", "/3", None),
            ("result.hits[3].body", "/hits/3/body", Some("result")),
            ("result[3]", "/3", Some("result")),
            ("result/hits/3", "/hits/3", Some("result")),
            ("/result/hits/3", "/hits/3", Some("result")),
            ("hits[3].body", "/hits/3/body", Some("result")),
            ("result.a", "/result/a", Some("result")),
            ("/hits/{key}/body", "/hits/3/body", None),
            ("{key}", "/anything", None),
            ("hits.{key}", "/hits/b", None),
            ("hits[{key}].body", "/hits/3/body", None),
            ("$.{key}[\"{key}\"]", "/a/b", None),
            ("a.b.c", "/a.b/c", None),
            ("[\"a.b\"].c", "/a.b/c", None),
            (r#"["a\"b\\"]"#, "/a\"b\\", None),
            ("/", "/", None),
            ("[\"\"].x", "//x", None),
            ("..x", "///x", None),
        ] {
            assert!(leads_to(path, pointer, root), "{path} to {pointer}");
        }
    }

    #[test]
    fn a_path_to_another_field_leads_elsewhere() {
        for (path, pointer, root) in [
            ("", "/hits", None),
            ("/hits", "", None),
            ("$", "/hits", None),
            ("/hits/2/body", "/hits/3/body", None),
            ("/hits/3", "/hits/3/body", None),
            ("/hits/3/body/x", "/hits/3/body", None),
            ("/hits/3/body/", "/hits/3/body", None),
            ("hits[3]", "/hits/3/body", None),
            ("hits[33].body", "/hits/3/body", None),
            ("hits3.body", "/hits/3/body", None),
            ("hits.3.bod", "/hits/3/body", None),
            ("hits.3.body2", "/hits/3/body", None),
            ("hits[3.body", "/hits/3/body", None),
            ("hits3]", "/hits/3", None),
            ("result.hits[3]", "/hits/3", None),
            ("results.hits[3]", "/hits/3", Some("result")),
            ("result", "/hits", Some("result")),
            ("results", "/s", Some("result")),
            ("{key}", "", None),
            ("{key}", "/a/b", None),
            ("/{key}/{key}", "/a", None),
            ("hits", "/Hits", None),
        ] {
            assert!(!leads_to(path, pointer, root), "{path} to {pointer}");
        }
    }

    #[test]
    fn hostile_paths_are_read_in_linear_time() {
        for unit in ["[", ".", "/", "{key}.", "[\"", "~"] {
            let path = unit.repeat(200_000);
            assert!(!leads_to(&path, "/hits/3/body", Some("$")), "{unit}");
        }
        let deep = "/a".repeat(100_000);
        assert!(leads_to(&deep, &deep, None));
        assert!(leads_to(&deep[1..].replace('/', "."), &deep, None));
    }
}
