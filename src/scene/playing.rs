//! What plays, as plain arrays.

use super::driven::{Company, Driven, Part, Span};
use super::events::EventQueue;
use super::factors::{AnimatedFactor, Owner};
use super::mixing::Mixing;
use crate::animation::{
    Animation, AnimationError, AnimationId, AnimationIdentity, Animator, Playback, PlaybackId,
};

/// A clip that something plays.
#[derive(Debug, Clone, Copy)]
struct ClipInUse {
    animation: AnimationId,
    identity: AnimationIdentity,
    playbacks: usize,
}

/// Everything that plays, flat: the channels of all playbacks lie in one array.
#[derive(Debug, Default)]
pub(super) struct Playing {
    /// In order of starting, so ids ascend.
    pub playbacks: Vec<Playback>,
    /// One a playback.
    pub spans: Vec<Span>,
    pub driven: Vec<Driven>,
    /// The structure revision for which the targets' rows are right.
    pub rows_of: Option<u64>,
    /// Whether what is driven is still as the last advance left it, and would be written so again while time stands still.
    pub settled: bool,
    pub events: EventQueue,
    pub mixing: Mixing,
    clips: Vec<ClipInUse>,
}

impl Playing {
    pub fn position(&self, id: PlaybackId) -> Option<usize> {
        self.playbacks.binary_search_by_key(&id, Playback::id).ok()
    }

    /// Appends a playback whose targets were appended before, from `start` on.
    pub fn push(&mut self, playback: Playback, start: usize, linear_rotations: u32) {
        let (animation, identity) = (playback.animation(), playback.identity());
        match self.clips.iter_mut().find(|c| c.animation == animation && c.identity == identity) {
            Some(clip) => clip.playbacks += 1,
            None => self.clips.push(ClipInUse { animation, identity, playbacks: 1 }),
        }
        let (start, end) = (start as u32, self.driven.len() as u32);
        self.spans.push(Span { start, end, linear_rotations, company: Company::Shared });
        self.playbacks.push(playback);
        self.rows_of = None;
    }

    /// Takes out the playbacks that are not to be kept, in one pass, and hands their targets to `release`.
    pub fn retain(&mut self, keep: impl Fn(&Playback) -> bool, mut release: impl FnMut(&Driven)) {
        let (mut kept, mut end) = (0, 0);
        for at in 0..self.playbacks.len() {
            let (playback, span) = (&self.playbacks[at], self.spans[at]);
            if keep(playback) {
                let count = span.range().len();
                self.driven.copy_within(span.range(), end);
                self.spans[kept] = Span { start: end as u32, end: (end + count) as u32, ..span };
                self.playbacks.swap(kept, at);
                (kept, end) = (kept + 1, end + count);
            } else {
                let (animation, identity) = (playback.animation(), playback.identity());
                let clip = self.clips.iter_mut().find(|c| c.animation == animation && c.identity == identity);
                clip.into_iter().for_each(|clip| clip.playbacks -= 1);
                self.driven[span.range()].iter().for_each(&mut release);
            }
        }
        self.playbacks.truncate(kept);
        self.spans.truncate(kept);
        self.driven.truncate(end);
        self.clips.retain(|clip| clip.playbacks > 0);
        // Who is alone now has to be found out.
        self.rows_of = None;
    }

    /// Whether advancing by so much would change nothing at all.
    pub fn stands_still(&self, elapsed: f64) -> bool {
        self.settled && self.playbacks.iter().all(|playback| playback.stands_still(elapsed))
    }

    /// Whether `animations` holds every clip that plays, at its position.
    pub fn check_clips(&self, animations: &[Animation]) -> Result<(), AnimationError> {
        for &ClipInUse { animation, identity, .. } in &self.clips {
            match animations.get(animation.index()) {
                None => return Err(AnimationError::UnknownClip { animation, count: animations.len() }),
                Some(clip) if clip.identity() != identity => {
                    return Err(AnimationError::ClipChanged { animation, found: clip.name().to_owned() });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// What drives an animated node and what it carries.
    pub fn animators_of<'a>(
        &'a self,
        node: u32,
        factors: &'a [AnimatedFactor],
    ) -> impl Iterator<Item = Animator> + use<'a> {
        let path_of = move |target: &Driven| match target.part {
            Part::Factor => {
                let factor = &factors[target.subject as usize];
                (factor.owner == Owner::Node(node)).then_some(factor.path)
            }
            _ => (target.subject == node).then(|| target.node_path()),
        };
        let playbacks = self.playbacks.iter().zip(&self.spans);
        playbacks.flat_map(move |(playback, span)| {
            let driven = self.driven[span.range()].iter();
            driven.filter_map(move |target| {
                let (playback, channel) = (playback.id(), target.channel);
                Some(Animator { playback, channel, path: path_of(target)? })
            })
        })
    }
}
