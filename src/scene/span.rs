//! Parts of flat arrays.

/// Where something lies in a flat array: `start..start + count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Position of the first element.
    pub start: u32,
    /// Number of elements; 0 stands for "none".
    pub count: u32,
}

impl Span {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// That part of `all`; empty if it does not lie inside.
    #[must_use]
    pub fn of<T>(self, all: &[T]) -> &[T] {
        let start = self.start as usize;
        all.get(start..start.saturating_add(self.count as usize)).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_does_not_lie_inside_is_empty() {
        let part = |start, count| Span { start, count }.of(&[1, 2, 3]).to_vec();
        assert_eq!((part(0, 3), part(1, 1)), (vec![1, 2, 3], vec![2]));
        for outside in [part(3, 0), part(2, 2), part(9, 1), part(u32::MAX, u32::MAX)] {
            assert!(outside.is_empty());
        }
        assert!(Span::default().is_empty() && !Span { start: 0, count: 1 }.is_empty());
    }
}
