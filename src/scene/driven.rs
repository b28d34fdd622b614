//! What a channel drives.

use crate::animation::{ChannelId, TargetPath};
use std::ops::Range;

/// A channel of a playback and the node that it drives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driven {
    pub channel: ChannelId,
    pub sampler: u32,
    /// Where the sampler's last search ended.
    pub cursor: u32,
    /// Position among the animated nodes.
    pub node: u32,
    /// Where to write as of `Playing::rows_of`: the node's row, for weights its set. [`NONE`](super::rows::NONE) once
    /// the node is gone, or while a mask leaves it out.
    pub row: u32,
    pub path: TargetPath,
    pub masked: bool,
    /// Whether others drive the same property, as of `Playing::rows_of`.
    pub shared: bool,
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
}

impl Span {
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
