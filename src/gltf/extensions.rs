//! Which extensions the objects of a document carry, anywhere in its JSON.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The name of every extension object, with the JSON path of the first object that carries one.
///
/// The JSON has been parsed before; where this second look meets a fault, it ends with what it has found.
pub(super) fn carried(json: &[u8]) -> BTreeMap<String, String> {
    if !may_carry(json) {
        return BTreeMap::new();
    }
    let mut walk = Walk { path: Vec::new(), found: BTreeMap::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let _ = Value(&mut walk).deserialize(&mut deserializer);
    walk.found
}

/// Whether the text can hold such a key: one that is written out, or one with a letter as an escape.
fn may_carry(json: &[u8]) -> bool {
    ["\"extensions\"", "\\u"].iter().any(|part| memchr::memmem::find(json, part.as_bytes()).is_some())
}

enum Step<'de> {
    Key(Cow<'de, str>),
    Index(usize),
}

struct Walk<'de> {
    path: Vec<Step<'de>>,
    found: BTreeMap<String, String>,
}

impl Walk<'_> {
    fn written_path(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            // Writing to a String cannot fail.
            let _ = match step {
                Step::Key(key) if out.is_empty() => write!(out, "{key}"),
                Step::Key(key) => write!(out, ".{key}"),
                Step::Index(index) => write!(out, "[{index}]"),
            };
        }
        out
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
            let next = sequence.next_element_seed(Value(&mut *self.0))?;
            self.0.path.pop();
            if next.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let is_extensions = matches!(self.0.path.last(), Some(Step::Key(key)) if key == "extensions");
        while let Some(Key(key)) = map.next_key()? {
            // What an application keeps in extras is its own.
            if key == "extras" && !is_extensions {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if is_extensions && !self.0.found.contains_key(key.as_ref()) {
                let path = self.0.written_path();
                self.0.found.insert(key.clone().into_owned(), path);
            }
            self.0.path.push(Step::Key(key));
            map.next_value_seed(Value(&mut *self.0))?;
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
        let json = br#"{
            "extensions": {"A_root": {"lights": [{"extensions": {"B_inner": 1}}]}},
            "nodes": [{}, {"extras": {"extensions": {"Z_extras": {}}}}, {"extensions": {"C_node": {}, "A_root": null}}],
            "materials": [{"normalTexture": {"extensions": {"D\u005fslot": {"x": [1.5, -1, true, null, "s"]}}}}],
            "extensionsUsed": ["E_only_declared"]
        }"#;
        let found: Vec<_> = carried(json).into_iter().collect();
        let expected = [
            ("A_root", "extensions"),
            ("B_inner", "extensions.A_root.lights[0].extensions"),
            ("C_node", "nodes[2].extensions"),
            ("D_slot", "materials[0].normalTexture.extensions"),
        ];
        assert_eq!(found, expected.map(|(name, path)| (name.to_owned(), path.to_owned())));
        assert!(carried(b"{\"extensions\": [").is_empty());
    }
}
