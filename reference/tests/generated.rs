//! The reference boundary on results that nobody thought of.

boundary_kit::properties!(boundary_reference::Reference::default);
