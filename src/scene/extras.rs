//! What tools and applications keep in a document for themselves.

use std::collections::BTreeMap;

/// The `extras` of a document's objects as JSON text, by the path of the object that has them.
///
/// ```
/// let mut extras = fire_engine::scene::Extras::default();
/// extras.insert("nodes[3]", r#"{"health": 100}"#);
/// assert_eq!(extras.get("nodes[3]"), Some(r#"{"health": 100}"#));
/// assert_eq!(extras.get("nodes[4]"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Extras(BTreeMap<Box<str>, Box<str>>);

impl Extras {
    /// The extras of the object at `path`, written like `meshes[3].primitives[0]`; the document itself is the empty path.
    /// The text is as it stands in the file, and any kind of JSON value.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(|json| &**json)
    }

    /// Every path with its extras, ordered by the path's bytes (so that `nodes[10]` comes before `nodes[2]`).
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, json)| (&**path, &**json))
    }

    /// Number of objects that have extras.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no object has any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the extras of the object at `path`. Nobody checks that the text is JSON.
    pub fn insert(&mut self, path: impl Into<Box<str>>, json: impl Into<Box<str>>) {
        self.0.insert(path.into(), json.into());
    }
}
