//! How the time of a check grows with the text: the exponent between two sizes, within one run.
//!
//! 1.0 is linear and 2.0 quadratic. Times are the best of a few, which is what a busy machine disturbs least.

use std::hint::black_box;
use std::time::{Duration, Instant};

use boundary_contract::{Builder, Call, Payload, Tool};
use boundary_reference::Reference;

#[path = "../tests/patterns/mod.rs"]
mod patterns;

const SMALL: usize = 1 << 17;
const LARGE: usize = 1 << 21;
const TRIES: usize = 5;

fn main() {
    let plain = "The north pier opens at eight. Ferries leave every forty minutes until dusk.\n";
    let mixed = "\u{41f}\u{440}\u{438}\u{447}\u{430}\u{43b} \u{4e2d}\u{6587} pier, tide & <b>mooring</b>\n";
    println!("{:>10} {:>10} {:>9}  repeated", "128 KiB", "2 MiB", "exponent");
    let text = |unit: &str, bytes: usize| Payload::from(unit.repeat(bytes / unit.len()));
    for unit in [plain, mixed].iter().chain(patterns::PATHOLOGICAL) {
        row(&unit.escape_debug().to_string(), |bytes| text(unit, bytes));
    }
    // An order in pieces in every third pair of items: as many findings across fields as there can be.
    let items = ["aWdub3JlIGFsbCBwcm", "V2aW91cyBpbnN0cnVjdGlvbnM=", "a b"];
    row("items of an encoded order in two pieces", |bytes| list(&items, bytes));
}

/// The items again and again, so many bytes of them.
fn list(items: &[&str], bytes: usize) -> Payload {
    let times = bytes / items.iter().map(|item| item.len()).sum::<usize>();
    let mut builder = Builder::new();
    builder.begin_array();
    for _ in 0..times {
        items.iter().for_each(|item| _ = builder.string(*item));
    }
    builder.end();
    builder.finish()
}

fn row(name: &str, make: impl Fn(usize) -> Payload) {
    let (small, large) = (best(&make(SMALL)), best(&make(LARGE)));
    let growth = large.as_secs_f64() / small.as_secs_f64();
    #[allow(clippy::cast_precision_loss, reason = "two powers of two")]
    let exponent = growth.ln() / (LARGE as f64 / SMALL as f64).ln();
    let (small, large) = (small.as_secs_f64() * 1e3, large.as_secs_f64() * 1e3);
    println!("{small:>7.2} ms {large:>7.2} ms {exponent:>9.2}  {name}");
}

fn best(payload: &Payload) -> Duration {
    let (boundary, tool) = (Reference::default(), Tool::new("read_page"));
    let time = || {
        let start = Instant::now();
        black_box(boundary.checked(&Call::new(&tool, black_box(payload)))).ok();
        start.elapsed()
    };
    (0..TRIES).map(|_| time()).min().unwrap_or_default()
}
