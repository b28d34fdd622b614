//! Which extensions and extras the objects of a document carry, anywhere in its JSON.

use crate::scene::Extras;
use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// The longest path that is written, in bytes: keys are the file's, and one long key can lie above any number of objects.
const LONGEST_PATH: usize = 512;

/// What the memory of an entry is counted as besides its texts.
const ENTRY: u64 = 64;

/// What objects carry besides what glTF defines for them.
#[derive(Default)]
pub(super) struct Carried {
    /// The name of every extension object, with the JSON path of the first object that carries one.
    pub extensions: BTreeMap<String, Arc<str>>,
    /// As many as `extras_limit` admits.
    pub extras: Extras,
    /// The memory that all of them would take.
    pub extras_bytes: u64,
    /// How many lie at paths that are too long.
    pub unreachable_extras: usize,
    /// Where the walk ended early, if it did, and why.
    pub fault: Option<(String, String)>,
}

/// Walks the JSON, which has been parsed before. What that skipped may still be too deep for this second look, which then
/// ends with what it has found.
pub(super) fn carried(json: &str, extras_limit: u64) -> Carried {
    if !may_carry(json) {
        return Carried::default();
    }
    let mut walk = Walk { path: Vec::new(), found: Carried::default(), extras_limit };
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let end = Value(&mut walk).deserialize(&mut deserializer);
    walk.found.fault = end.err().map(|error| {
        let reason = error.to_string();
        // Lines and columns count from the beginning of some value; the path is still where the walk was.
        let reason = reason.split_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        (walk.written_path().unwrap_or_else(|cut| cut), reason.to_owned())
    });
    walk.found
}

/// Whether the text can hold such a key: one that is written out, or one with a letter as an escape.
fn may_carry(json: &str) -> bool {
    let parts = ["\"extensions\"", "\"extras\"", "\\u"];
    parts.iter().any(|part| memchr::memmem::find(json.as_bytes(), part.as_bytes()).is_some())
}

/// How far down a value's text is searched for a key before the value is walked: the root's members, and the entries of
/// its lists. Few of them carry anything, and a search is much faster than a walk.
const SEARCHED: usize = 2;

enum Step<'de> {
    Key(Cow<'de, str>),
    Index(usize),
}

struct Walk<'de> {
    path: Vec<Step<'de>>,
    found: Carried,
    extras_limit: u64,
}

impl Walk<'_> {
    /// Where the walk is; cut, as an error, where that is too long.
    fn written_path(&self) -> Result<String, String> {
        let mut out = String::new();
        for step in &self.path {
            if matches!(step, Step::Key(key) if out.len() + key.len() > LONGEST_PATH) {
                out.push_str("...");
                return Err(out);
            }
            // Writing to a String cannot fail.
            let _ = match step {
                Step::Key(key) if out.is_empty() => write!(out, "{key}"),
                Step::Key(key) => write!(out, ".{key}"),
                Step::Index(index) => write!(out, "[{index}]"),
            };
        }
        Ok(out)
    }

    /// `path` is written for the first new name of an object, and all of them share it.
    fn add_extension(&mut self, name: &str, path: &mut Option<Arc<str>>) {
        if !self.found.extensions.contains_key(name) {
            let path = path.get_or_insert_with(|| self.written_path().unwrap_or_else(|cut| cut).into());
            self.found.extensions.insert(name.to_owned(), Arc::clone(path));
        }
    }

    fn add_extras(&mut self, json: &str) {
        let Ok(path) = self.written_path() else {
            self.found.unreachable_extras += 1;
            return;
        };
        self.found.extras_bytes += path.len() as u64 + json.len() as u64 + ENTRY;
        if self.found.extras_bytes <= self.extras_limit {
            self.found.extras.insert(path, json);
        }
    }
}

/// A key that is copied only if it holds escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// The value at the walk's path, unless a search of its text finds nothing.
struct Below<'w, 'de>(&'w mut Walk<'de>);

impl<'de> DeserializeSeed<'de> for Below<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.path.len() > SEARCHED {
            return Value(self.0).deserialize(deserializer);
        }
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let names_follow = matches!(self.0.path.last(), Some(Step::Key(key)) if key == "extensions");
        if !names_follow && !may_carry(text) {
            return Ok(());
        }
        let walked = Value(self.0).deserialize(&mut serde_json::Deserializer::from_str(text));
        walked.map_err(serde::de::Error::custom)
    }
}

/// Any JSON value below the walk's path.
struct Value<'w, 'de>(&'w mut Walk<'de>);

impl<'de> DeserializeSeed<'de> for Value<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            self.0.path.push(Step::Index(index));
            let next = sequence.next_element_seed(Below(&mut *self.0))?;
            self.0.path.pop();
            if next.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let is_extensions = matches!(self.0.path.last(), Some(Step::Key(key)) if key == "extensions");
        let mut path = None;
        while let Some(Key(key)) = map.next_key()? {
            // What an application keeps in extras is its own.
            if key == "extras" && !is_extensions {
                self.0.add_extras(map.next_value::<&RawValue>()?.get());
                continue;
            }
            if is_extensions {
                self.0.add_extension(&key, &mut path);
            }
            self.0.path.push(Step::Key(key));
            map.next_value_seed(Below(&mut *self.0))?;
            self.0.path.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_is_found_once_wherever_it_stands_but_in_extras() {
        let json = r#"{
            "extensions": {"A_root": {"lights": [{"extensions": {"B_inner": 1}}]}},
            "nodes": [{}, {"extras": {"extensions": {"Z_extras": {}}}}, {"extensions": {"C_node": {}, "A_root": null}}],
            "materials": [{"normalTexture": {"extensions": {"D\u005fslot": {"x": [1.5, -1, true, null, "s"]}}}}],
            "extensionsUsed": ["E_only_declared"]
        }"#;
        let found: Vec<_> = carried(json, u64::MAX).extensions.into_iter().collect();
        let expected = [
            ("A_root", "extensions"),
            ("B_inner", "extensions.A_root.lights[0].extensions"),
            ("C_node", "nodes[2].extensions"),
            ("D_slot", "materials[0].normalTexture.extensions"),
        ];
        assert_eq!(found, expected.map(|(name, path)| (name.to_owned(), path.into())));
        assert!(carried("{\"extensions\": [", u64::MAX).extensions.is_empty());
    }

    #[test]
    fn extras_are_kept_as_text_by_the_path_of_their_object() {
        let json = r#"{
            "extras": "of the document",
            "nodes": [{}, {"extras": { "a" : [1, {"extras": 2}] }}, {"extras": null}],
            "meshes": [{"primitives": [{"extr\u0061s": 1e5}]}],
            "extensions": {"extras": {"extras": true}}
        }"#;
        let found = carried(json, u64::MAX);
        let expected = [
            ("", "\"of the document\""),
            ("extensions.extras", "true"),
            ("meshes[0].primitives[0]", "1e5"),
            ("nodes[1]", "{ \"a\" : [1, {\"extras\": 2}] }"),
            ("nodes[2]", "null"),
        ];
        assert_eq!(found.extras.iter().collect::<Vec<_>>(), expected);
        assert!(found.extensions.contains_key("extras"), "a name like any other there");
    }

    #[test]
    fn extras_beyond_the_limit_are_counted_and_not_kept() {
        let json = r#"{"nodes": [{"extras": 1}, {"extras": 2}]}"#;
        let whole = carried(json, u64::MAX);
        let one = ("nodes[0]".len() + 1) as u64 + ENTRY;
        assert_eq!((whole.extras.len(), whole.extras_bytes), (2, 2 * one));
        let cut = carried(json, 2 * one - 1);
        assert_eq!((cut.extras.len(), cut.extras_bytes), (1, 2 * one));
    }

    #[test]
    fn one_long_key_above_many_objects_takes_no_memory_for_each() {
        let objects = r#"{"extras": 0, "extensions": {"NAME": 0}},"#;
        let objects: String = (0..2000).map(|i| objects.replace("NAME", &format!("E{i}"))).collect();
        let key = "k".repeat(100_000);
        let json = format!("{{\"{key}\": [{}]}}", objects.trim_end_matches(','));
        let found = carried(&json, u64::MAX);
        assert_eq!((found.extras.len(), found.unreachable_extras, found.extensions.len()), (0, 2000, 2000));
        assert!(found.extensions.values().all(|path| path.len() <= LONGEST_PATH + 3));
    }
}
