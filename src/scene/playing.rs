//! What plays, as plain arrays.

use crate::animation::{Animator, ChannelId, Playback, PlaybackId, TargetPath};
use std::ops::Range;

/// A channel of a playback and the node that it drives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driven {
    pub channel: ChannelId,
    pub path: TargetPath,
    pub sampler: u32,
    /// Where the sampler's last search ended.
    pub cursor: u32,
    pub slot: u32,
    pub generation: u32,
    /// The node's row as of `Playing::rows_of`; [`NONE`](super::rows::NONE) once the node is gone.
    pub row: u32,
}

/// Everything that plays, flat: the channels of all playbacks lie in one array.
#[derive(Debug, Default)]
pub(super) struct Playing {
    /// In order of starting, so ids ascend.
    pub playbacks: Vec<Playback>,
    /// For each playback its part of `driven`.
    pub ranges: Vec<Range<usize>>,
    pub driven: Vec<Driven>,
    /// The structure revision for which `Driven::row` is right.
    pub rows_of: Option<u64>,
}

impl Playing {
    pub fn position(&self, id: PlaybackId) -> Option<usize> {
        self.playbacks.binary_search_by_key(&id, Playback::id).ok()
    }

    pub fn animators_of(&self, slot: u32, generation: u32) -> impl Iterator<Item = Animator> {
        let playbacks = self.playbacks.iter().zip(&self.ranges);
        playbacks.flat_map(move |(playback, range)| {
            let driven = self.driven[range.clone()].iter();
            driven.filter(move |d| d.slot == slot && d.generation == generation).map(|d| Animator {
                playback: playback.id(),
                channel: d.channel,
                path: d.path,
            })
        })
    }
}
