//! What a channel drives.

use crate::animation::{ChannelId, TargetPath};
use std::ops::Range;

/// What kind of thing a channel writes to, in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Translation,
    Rotation,
    Scale,
    /// All weights of a node, or one.
    Weights,
    /// Numbers of a camera, light or material.
    Factor,
}

impl Part {
    /// How many a node itself has: all but the last.
    pub const OF_NODES: usize = 4;

    pub fn of(path: TargetPath) -> Self {
        match path {
            TargetPath::Translation => Self::Translation,
            TargetPath::Rotation => Self::Rotation,
            TargetPath::Scale => Self::Scale,
            TargetPath::Weights | TargetPath::Weight(_) => Self::Weights,
            _ => Self::Factor,
        }
    }
}

/// A channel of a playback and what it drives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driven {
    pub channel: ChannelId,
    pub sampler: u32,
    /// Where the sampler's last search ended.
    pub cursor: u32,
    /// Position among the animated nodes, for [`Part::Factor`] among the animated factors.
    pub subject: u32,
    /// Where to write as of `Playing::rows_of`: the node's row, for weights its set, for factors the node's slot or the
    /// material's position. [`NONE`](super::rows::NONE) once the node is gone, or while a mask leaves it out.
    pub row: u32,
    /// Which weight, or [`ALL_WEIGHTS`](Self::ALL_WEIGHTS).
    weight: u16,
    pub part: Part,
    pub masked: bool,
}

impl Driven {
    const ALL_WEIGHTS: u16 = u16::MAX;

    pub fn new(channel: ChannelId, sampler: u32, subject: u32, path: TargetPath) -> Self {
        let weight = match path {
            TargetPath::Weight(weight) => weight,
            _ => Self::ALL_WEIGHTS,
        };
        let (cursor, row, part) = (0, super::rows::NONE, Part::of(path));
        Self { channel, sampler, cursor, subject, row, weight, part, masked: false }
    }

    /// Which of a set of `count` weights are driven, as far as there are so many.
    pub fn weights(&self, count: usize) -> Range<usize> {
        match self.weight {
            Self::ALL_WEIGHTS => 0..count,
            weight => {
                let weight = usize::from(weight).min(count);
                weight..(weight + 1).min(count)
            }
        }
    }

    /// What the channel drives, unless that is a factor, which knows it itself.
    pub fn node_path(&self) -> TargetPath {
        match (self.part, self.weight) {
            (Part::Translation, _) => TargetPath::Translation,
            (Part::Rotation, _) => TargetPath::Rotation,
            (Part::Scale, _) => TargetPath::Scale,
            (Part::Weights | Part::Factor, Self::ALL_WEIGHTS) => TargetPath::Weights,
            (Part::Weights | Part::Factor, weight) => TargetPath::Weight(weight),
        }
    }
}

/// A playback's part of `Playing::driven`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
    /// How many at the beginning are LINEAR rotations.
    pub linear_rotations: u32,
    pub company: Company,
}

/// Who else drives what a playback drives, as of `Playing::rows_of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// Nobody, and all of it is LINEAR rotations.
    AloneWithLinearRotations,
    /// Nobody.
    Alone,
    /// Others drive some of it.
    Shared,
    /// It plays no more.
    Stopped,
}

impl Span {
    pub fn plays(&self) -> bool {
        self.company != Company::Stopped
    }

    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_stays_small() {
        assert_eq!(size_of::<Driven>(), 24);
    }

    #[test]
    fn driven_weights_are_those_that_there_are() {
        let driven = |path| Driven::new(ChannelId::new(0), 0, 0, path);
        assert_eq!(driven(TargetPath::Weights).weights(3), 0..3);
        let one = driven(TargetPath::Weight(2));
        assert_eq!((one.weights(3), one.weights(2), one.weights(0)), (2..3, 2..2, 0..0));
        assert_eq!(one.node_path(), TargetPath::Weight(2));
    }
}
