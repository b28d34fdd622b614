//! What the document's types have in common: how JSON objects are read.

/// Takes JSON objects alone: what serde derives for a struct takes an array of its fields too. With `remote = "Self"` the
/// derived code becomes a function of the type's own, which is called here once there is an object.
macro_rules! from_objects {
    ($($type:ident)*) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;

                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a JSON object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$type, A::Error> {
                        $type::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }

                deserializer.deserialize_map(Object)
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

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;

                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a JSON object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$type, A::Error> {
                        let mut out = $type::default();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $($(#[$condition])* $name => out.$field = map.next_value()?,)*
                                _ => {
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                    out.others.push(name);
                                }
                            }
                        }
                        Ok(out)
                    }
                }

                deserializer.deserialize_map(Object)
            }
        }
    };
}
