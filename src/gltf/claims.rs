//! What the channels of one clip drive, so that nothing is driven twice.

use super::pointer::Object;
use crate::animation::TargetPath;
use std::collections::HashSet;

/// Properties that are driven, of objects as channels name them: a mesh's weights are not those of the nodes that have it.
#[derive(Default)]
pub(super) struct Claims {
    driven: HashSet<(Object, TargetPath)>,
    /// What single weights are driven of.
    weighed: HashSet<Object>,
}

impl Claims {
    /// Whether the property is driven, or a part of it, or what it is a part of.
    pub fn is_driven(&self, object: Object, path: TargetPath) -> bool {
        let related = match path {
            TargetPath::Weights => self.weighed.contains(&object),
            TargetPath::Weight(_) => self.driven.contains(&(object, TargetPath::Weights)),
            _ => false,
        };
        related || self.driven.contains(&(object, path))
    }

    /// Notes that the property is driven; returns whether it was not before.
    pub fn claim(&mut self, object: Object, path: TargetPath) -> bool {
        let is_free = !self.is_driven(object, path);
        if is_free {
            self.driven.insert((object, path));
            if matches!(path, TargetPath::Weight(_)) {
                self.weighed.insert(object);
            }
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_weights_and_one_of_them_exclude_each_other_and_two_of_them_do_not() {
        const ALL: TargetPath = TargetPath::Weights;
        let one = TargetPath::Weight;
        let claimed = |paths: &[TargetPath]| {
            let mut claims = Claims::default();
            paths.iter().map(|&path| claims.claim(Object::Node(3), path)).collect::<Vec<_>>()
        };
        assert_eq!(claimed(&[ALL, one(0), ALL]), [true, false, false]);
        assert_eq!(claimed(&[one(0), one(1), ALL, one(1)]), [true, true, false, false]);
        assert_eq!(claimed(&[TargetPath::Scale, ALL, TargetPath::Scale]), [true, true, false]);
        let mut claims = Claims::default();
        assert!(claims.claim(Object::Mesh(3), ALL) && !claims.is_driven(Object::Node(3), one(0)));
    }
}
