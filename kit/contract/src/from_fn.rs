//! A boundary out of a description and a function.

use std::fmt;

use crate::{AdapterFault, Boundary, Call, Description, Outcome};

/// A boundary made of what it says it is and one function: the shortest adapter there is.
///
/// ```
/// use boundary_contract::{Boundary, Call, Claim, Delivery, Description, Grammar, Payload, Tool, boundary_fn};
///
/// let description = Description::new("mine", "0.1.0").claim(Claim::Envelope).envelope(Grammar::tag("tool-output"));
/// let mine = boundary_fn(description, |call| {
///     let text = call.payload()?.to_text();
///     Ok(Delivery::new(format!("<tool-output>\n{text}\n</tool-output>"), text).into())
/// });
///
/// let (tool, page) = (Tool::new("read_page"), Payload::from("hello"));
/// assert_eq!(mine.check(&Call::new(&tool, &page)).unwrap().delivered().unwrap().text, "hello");
/// ```
pub fn boundary_fn<F>(description: Description, check: F) -> BoundaryFn<F>
where
    F: Fn(&Call<'_>) -> Result<Outcome, AdapterFault> + Send + Sync,
{
    BoundaryFn { description, check }
}

/// What [`boundary_fn`] makes.
#[derive(Clone)]
pub struct BoundaryFn<F> {
    description: Description,
    check: F,
}

impl<F> Boundary for BoundaryFn<F>
where
    F: Fn(&Call<'_>) -> Result<Outcome, AdapterFault> + Send + Sync,
{
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        (self.check)(call)
    }
}

impl<F> fmt::Debug for BoundaryFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundaryFn").field("description", &self.description).finish_non_exhaustive()
    }
}
