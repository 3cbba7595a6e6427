//! Writes one `include_str!` row for each fixture file and each set, sorted by name, so that a new
//! file is embedded without a line of code.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut rows = String::from("pub(crate) const FILES: &[(&str, &str)] = &[\n");
    for folder in ["fixtures", "sets"] {
        // Cargo looks at a folder's whole content, new files included.
        println!("cargo::rerun-if-changed={folder}");
        for name in json_files(&Path::new(&root).join(folder))? {
            let file = format!("{folder}/{name}");
            rows.push_str(&format!(
                "    ({file:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),\n",
                format!("/{file}")
            ));
        }
    }
    rows.push_str("];\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("files.rs"), rows)
}

/// The names of a folder's JSON files, sorted: a folder's own order differs between machines.
fn json_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if let Some(name) = name.to_str().filter(|name| name.ends_with(".json")) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
