//! Ranges of a fixed space, given out and taken back.

/// A first-fit allocator of element ranges; free neighbors are joined.
#[derive(Debug)]
pub(crate) struct Ranges {
    /// (start, length), ascending, never touching.
    free: Vec<(u32, u32)>,
    capacity: u32,
}

impl Ranges {
    pub(crate) fn new(capacity: u32) -> Self {
        Self { free: if capacity > 0 { vec![(0, capacity)] } else { Vec::new() }, capacity }
    }

    /// The start of `length` (not 0) free elements, or `None` if no gap is long enough.
    pub(crate) fn take(&mut self, length: u32) -> Option<u32> {
        let position = self.free.iter().position(|&(_, free)| free >= length)?;
        let (start, free) = self.free[position];
        if free == length {
            self.free.remove(position);
        } else {
            self.free[position] = (start + length, free - length);
        }
        Some(start)
    }

    /// Takes back what `take` gave.
    pub(crate) fn give(&mut self, start: u32, length: u32) {
        let position = self.free.partition_point(|&(other, _)| other < start);
        self.free.insert(position, (start, length));
        if let Some(&(next, next_length)) = self.free.get(position + 1)
            && start + length == next
        {
            self.free[position].1 += next_length;
            self.free.remove(position + 1);
        }
        if position > 0 {
            let (before, before_length) = self.free[position - 1];
            if before + before_length == start {
                self.free[position - 1].1 += self.free[position].1;
                self.free.remove(position);
            }
        }
    }

    /// Whether everything is free.
    pub(crate) fn is_unused(&self) -> bool {
        self.free == [(0, self.capacity)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_space_and_zero_capacity_give_nothing() {
        let mut ranges = Ranges::new(4);
        assert_eq!(ranges.take(5), None);
        assert_eq!(ranges.take(4), Some(0));
        assert_eq!(ranges.take(1), None);
        assert_eq!(Ranges::new(0).take(1), None);
    }

    #[test]
    fn neighbors_join_in_every_order_of_return() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut ranges = Ranges::new(9);
            let starts: Vec<u32> = (0..3).map(|_| ranges.take(3).unwrap()).collect();
            for index in order {
                assert!(!ranges.is_unused());
                ranges.give(starts[index], 3);
            }
            assert!(ranges.is_unused(), "{order:?}");
        }
    }

    #[test]
    fn the_first_gap_that_fits_is_reused() {
        let mut ranges = Ranges::new(10);
        let (a, b) = (ranges.take(2).unwrap(), ranges.take(3).unwrap());
        assert_eq!(ranges.take(5), Some(5));
        ranges.give(a, 2);
        assert_eq!(ranges.take(3), None);
        ranges.give(b, 3);
        assert_eq!(ranges.take(4), Some(0));
    }
}
