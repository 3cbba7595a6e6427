//! The boundaries that the command knows, good or made bad on purpose.

use std::str::FromStr;
use std::sync::Arc;

use boundary_kit::contract::Boundary;
use boundary_kit::decoration::Decoration;
use boundary_kit::report::plain::Plain;
use boundary_reference::{Guard, Reference};

/// A boundary by its name: `BASE`, or `BASE+NAME` for one that is decorated with a fault or a way to misbehave.
#[derive(Clone)]
pub(crate) struct Named {
    name: String,
    boundary: Arc<dyn Boundary>,
    misbehaves: bool,
}

/// The name of the boundary that is asked where none is named.
pub(crate) const DEFAULT: &str = "reference";

impl Named {
    /// The boundary.
    pub(crate) fn boundary(&self) -> Box<dyn Boundary> {
        Box::new(Arc::clone(&self.boundary))
    }

    /// Whether it may take along the process that asks it.
    pub(crate) fn misbehaves(&self) -> bool {
        self.misbehaves
    }

    /// Its name, where it must be named.
    pub(crate) fn name(&self) -> Option<String> {
        (self.name != DEFAULT).then(|| self.name.clone())
    }
}

impl FromStr for Named {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (base, decoration) = match name.split_once('+') {
            Some((base, decoration)) => (base, Some(decoration.parse::<Decoration>()?)),
            None => (name, None),
        };
        let base: Box<dyn Boundary> = match base {
            "reference" => Box::new(Reference::default()),
            "guard" => Box::new(Guard::new()),
            _ => {
                let base = Plain::cut(base, 40);
                return Err(format!("no boundary is named `{base}`; there is: reference, guard"));
            }
        };
        let misbehaves = matches!(decoration, Some(Decoration::Member(_)));
        let boundary = match decoration {
            Some(decoration) => decoration.on(base)?,
            None => base,
        };
        Ok(Self { name: name.to_owned(), boundary: boundary.into(), misbehaves })
    }
}
