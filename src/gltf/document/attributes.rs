//! Attributes by their names, of which each may be there once (glTF 2.0, "JSON Encoding").

use super::objects::{FromObject, object};
use super::whole::Whole;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// Accessors by the names of attributes.
pub(in crate::gltf) type Attributes = BTreeMap<String, Whole>;

struct Unique(Attributes);

impl<'de> FromObject<'de> for Unique {
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut attributes = Attributes::new();
        while let Some((name, accessor)) = map.next_entry::<String, Whole>()? {
            if attributes.contains_key(&name) {
                return Err(A::Error::custom(format_args!("duplicate name `{name}`")));
            }
            attributes.insert(name, accessor);
        }
        Ok(Self(attributes))
    }
}

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer)
    }
}

pub(super) fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    object(deserializer).map(|Unique(attributes)| attributes)
}

pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Attributes>, D::Error> {
    let list = Vec::<Unique>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|Unique(attributes)| attributes).collect())
}
