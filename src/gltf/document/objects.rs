//! What the document's types have in common: how JSON objects are read.

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use std::marker::PhantomData;

/// A type that is read from a JSON object and from nothing else.
pub(super) trait FromObject<'de>: Sized {
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// Reads a JSON object.
pub(super) fn object<'de, T: FromObject<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);

    impl<'de, T: FromObject<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::from_map(map)
        }
    }

    deserializer.deserialize_map(Object(PhantomData))
}

/// Takes JSON objects alone: what serde derives for a struct takes an array of its fields too. With `remote = "Self"` the
/// derived code becomes a function of the type's own, which is called here once there is an object.
macro_rules! from_objects {
    ($($type:ident)*) => {$(
        impl<'de> super::objects::FromObject<'de> for $type {
            fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                $type::deserialize(serde::de::value::MapAccessDeserializer::new(map))
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::objects::object(deserializer)
            }
        }
    )*};
}

/// The `extensions` of some JSON object: those that are read, each by its type, and the names of the others.
macro_rules! extensions {
    ($(#[$doc:meta])* $type:ident {
        $($(#[$condition:meta])* $name:literal => $field:ident: $content:ty),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(in crate::gltf) struct $type {
            $($(#[$condition])* pub $field: Option<$content>,)*
            /// Names of those that are not read here.
            pub others: Vec<String>,
        }

        impl<'de> super::objects::FromObject<'de> for $type {
            fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                let mut out = Self::default();
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        $($(#[$condition])* $name => {
                            if out.$field.is_some() {
                                return Err(serde::de::Error::duplicate_field($name));
                            }
                            out.$field = map.next_value()?;
                        })*
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                            out.others.push(name);
                        }
                    }
                }
                Ok(out)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::objects::object(deserializer)
            }
        }
    };
}
