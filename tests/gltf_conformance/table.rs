//! What the walk over the corpus found, summed up by tier and by extension.

use fire_engine::gltf::{LoadError, LoadReport};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What became of one file.
pub struct Outcome<'a> {
    /// Its row of the manifest.
    pub entry: &'a Value,
    /// The report of what loaded.
    pub result: Result<&'a LoadReport, &'a LoadError>,
    /// How long the load took.
    pub took: Duration,
    /// The process's largest size meanwhile, in KiB, if nothing else ran.
    pub peak: Option<u64>,
}

/// The largest value so far, and whose it is.
#[derive(Default)]
struct Most<T>(T, String);

impl<T: PartialOrd> Most<T> {
    fn offer(&mut self, value: T, path: &str) {
        if value > self.0 {
            *self = Self(value, path.to_owned());
        }
    }
}

#[derive(Default)]
struct Tier {
    loaded: usize,
    silent: usize,
    refused: usize,
    bounds: usize,
    slowest: Most<Duration>,
}

#[derive(Default)]
struct Extension {
    required: usize,
    loaded: usize,
    noted: usize,
    refused: usize,
    named: usize,
}

/// The sums.
#[derive(Default)]
pub struct Table {
    tiers: BTreeMap<String, Tier>,
    extensions: BTreeMap<String, Extension>,
    slowest: Most<Duration>,
    largest: Most<u64>,
}

impl Table {
    /// Adds a file, with the number of its boxes that were compared.
    pub fn add(&mut self, outcome: &Outcome<'_>, bounds: usize) {
        let text = |name: &str| outcome.entry[name].as_str().unwrap_or("");
        let path = text("path");
        let tier = self.tiers.entry(text("expect").to_owned()).or_default();
        tier.loaded += usize::from(outcome.result.is_ok());
        tier.silent += usize::from(outcome.result.is_ok_and(LoadReport::is_empty));
        tier.refused += usize::from(outcome.result.is_err());
        tier.bounds += bounds;
        tier.slowest.offer(outcome.took, path);
        self.slowest.offer(outcome.took, path);
        self.largest.offer(outcome.peak.unwrap_or(0), path);
        let required: BTreeSet<_> = extensions(outcome.entry, "extensionsRequired").collect();
        let used = extensions(outcome.entry, "extensionsUsed").chain(required.iter().copied());
        for name in used.collect::<BTreeSet<_>>() {
            let extension = self.extensions.entry(name.to_owned()).or_default();
            extension.required += usize::from(required.contains(name));
            match outcome.result {
                Ok(report) => {
                    extension.loaded += 1;
                    extension.noted += usize::from(report.iter().any(|row| names(&row.to_string(), name)));
                }
                Err(error) => {
                    extension.refused += 1;
                    extension.named += usize::from(names(&error.to_string(), name));
                }
            }
        }
    }

    /// The process's largest size, in KiB, during any file that was measured alone.
    pub fn largest(&self) -> u64 {
        self.largest.0
    }

    /// Prints everything that was added.
    pub fn print(&self) {
        println!(
            "\n{:<18} {:>7} {:>16} {:>8} {:>7}  slowest",
            "tier", "loaded", "of them no notes", "refused", "bounds"
        );
        for (tier, t) in &self.tiers {
            let Most(slowest, path) = &t.slowest;
            println!(
                "{tier:<18} {:>7} {:>16} {:>8} {:>7}  {:.0} ms {path}",
                t.loaded,
                t.silent,
                t.refused,
                t.bounds,
                slowest.as_secs_f64() * 1e3,
            );
        }
        // "Named" is by a row of the report, or by the error: a file that is broken besides is refused for that.
        println!(
            "\n{:<36} {:>5} {:>8} {:>7} {:>6} {:>8} {:>6}",
            "extension", "files", "required", "loaded", "named", "refused", "named"
        );
        for (name, e) in &self.extensions {
            println!(
                "{name:<36} {:>5} {:>8} {:>7} {:>6} {:>8} {:>6}",
                e.loaded + e.refused,
                e.required,
                e.loaded,
                e.noted,
                e.refused,
                e.named
            );
        }
        let Most(slowest, path) = &self.slowest;
        println!("\nlongest: {:.0} ms for {path}", slowest.as_secs_f64() * 1e3);
        if let Most(largest @ 1.., path) = &self.largest {
            println!("largest: {} MiB for {path}", largest / 1024);
        }
    }
}

/// The extensions that a row of the manifest lists under `kind`.
pub fn extensions<'a>(entry: &'a Value, kind: &str) -> impl Iterator<Item = &'a str> {
    entry["features"][kind].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Whether `name` stands in `text` as a word: one extension's name can begin with another's.
pub fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == name)
}
