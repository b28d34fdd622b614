//! Words of glTF's own vocabulary.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A text that is mostly one of glTF's own words, which take no memory of their own. Any other text is kept as it is, for
/// the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::gltf) struct Word(Cow<'static, str>);

/// The commonest first.
const KNOWN: [&str; 15] = [
    "SCALAR",
    "VEC3",
    "VEC4",
    "VEC2",
    "MAT4",
    "rotation",
    "translation",
    "scale",
    "LINEAR",
    "weights",
    "STEP",
    "CUBICSPLINE",
    "MAT3",
    "MAT2",
    "pointer",
];

impl std::ops::Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Word {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordVisitor;
        impl Visitor<'_> for WordVisitor {
            type Value = Word;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
                let known = KNOWN.into_iter().find(|known| *known == text);
                Ok(Word(known.map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed)))
            }
        }
        deserializer.deserialize_str(WordVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_borrowed_and_others_are_kept() {
        let word: Word = serde_json::from_str("\"CUBICSPL\\u0049NE\"").unwrap();
        assert!(matches!(word.0, Cow::Borrowed("CUBICSPLINE")));
        let word: Word = serde_json::from_str("\"cubicspline\"").unwrap();
        assert!(matches!(&word.0, Cow::Owned(text) if text == "cubicspline"));
        assert!(serde_json::from_str::<Word>("1").is_err());
    }
}
