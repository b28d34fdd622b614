//! Whole numbers.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A whole number. `3.0` is taken as 3, since JSON has one number type and some exporters write it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::gltf) struct Whole(pub u64);

impl Whole {
    /// As an index; what does not fit the machine's word is past every list's end anyway.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeVisitor;
        impl Visitor<'_> for WholeVisitor {
            type Value = Whole;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a whole number of at least 0")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(value))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
                // Up to 2^53 every whole f64 is exact.
                if (0.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0 {
                    Ok(Whole(value as u64))
                } else {
                    Err(E::invalid_value(Unexpected::Float(value), &self))
                }
            }
        }
        deserializer.deserialize_u64(WholeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_as_decimals_but_not_be_negative_or_fractional() {
        let parse = |text: &str| serde_json::from_str::<Whole>(text).ok().map(|w| w.0);
        assert_eq!([parse("3"), parse("3.0"), parse("0")], [Some(3), Some(3), Some(0)]);
        for bad in ["-1", "2.5", "1e300", "\"1\"", "null", "[]"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
