//! What plays, as plain arrays.

use super::driven::{Company, Driven, Part, Span};
use super::events::EventQueue;
use super::factors::{AnimatedFactor, Owner};
use super::mixing::Mixing;
use crate::animation::{
    Animation, AnimationError, AnimationId, AnimationIdentity, Animator, Playback, PlaybackId,
};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A clip that something plays.
#[derive(Debug, Clone, Copy)]
struct ClipInUse {
    animation: AnimationId,
    identity: AnimationIdentity,
    playbacks: usize,
}

/// Everything that plays, flat: the channels of all playbacks lie in one array.
///
/// What is stopped keeps its place until the next frame, or until there is much of it: then stopping many, one after the
/// other, moves the others once.
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
    clip_places: HashMap<(AnimationId, AnimationIdentity), usize>,
    /// How many of the playbacks are [`Company::Stopped`].
    stopped: usize,
    /// The others, once somebody asked for them.
    listed: OnceLock<Vec<Playback>>,
}

impl Playing {
    pub fn position(&self, id: PlaybackId) -> Option<usize> {
        let found = self.playbacks.binary_search_by_key(&id, Playback::id).ok();
        found.filter(|&position| self.spans[position].plays())
    }

    /// A playback that is about to be changed.
    pub fn get_mut(&mut self, id: PlaybackId) -> Option<&mut Playback> {
        let position = self.position(id)?;
        self.settled = false;
        self.listed = OnceLock::new();
        Some(&mut self.playbacks[position])
    }

    /// What plays, in order of starting.
    pub fn list(&self) -> &[Playback] {
        if self.stopped == 0 {
            return &self.playbacks;
        }
        let playing = || self.with_spans().map(|(playback, _)| playback.clone());
        self.listed.get_or_init(|| playing().collect())
    }

    fn with_spans(&self) -> impl Iterator<Item = (&Playback, &Span)> {
        self.playbacks.iter().zip(&self.spans).filter(|(_, span)| span.plays())
    }

    /// Appends a playback whose targets were appended before, from `start` on.
    pub fn push(&mut self, playback: Playback, start: usize, linear_rotations: u32) {
        let (animation, identity) = (playback.animation(), playback.identity());
        let place = *self.clip_places.entry((animation, identity)).or_insert_with(|| {
            self.clips.push(ClipInUse { animation, identity, playbacks: 0 });
            self.clips.len() - 1
        });
        self.clips[place].playbacks += 1;
        let (start, end) = (start as u32, self.driven.len() as u32);
        self.spans.push(Span { start, end, linear_rotations, company: Company::Shared });
        self.playbacks.push(playback);
        self.changed();
    }

    /// Stops the playback at a position, and hands its targets to `release`.
    pub fn stop(&mut self, position: usize, release: impl FnMut(&Driven)) {
        let (playback, span) = (&self.playbacks[position], &mut self.spans[position]);
        let clip = self.clip_places.get(&(playback.animation(), playback.identity()));
        clip.into_iter().for_each(|&place| self.clips[place].playbacks -= 1);
        self.driven[span.range()].iter().for_each(release);
        span.company = Company::Stopped;
        self.stopped += 1;
        self.changed();
        if self.stopped > self.playbacks.len() / 2 + 64 {
            self.compact();
        }
    }

    /// Who is alone has to be found out again.
    fn changed(&mut self) {
        self.rows_of = None;
        self.listed = OnceLock::new();
    }

    /// Takes out what was stopped, in one pass.
    pub fn compact(&mut self) {
        if self.stopped == 0 {
            return;
        }
        let (mut kept, mut end) = (0, 0);
        for at in 0..self.playbacks.len() {
            let span = self.spans[at];
            if span.plays() {
                let count = span.range().len();
                self.driven.copy_within(span.range(), end);
                self.spans[kept] = Span { start: end as u32, end: (end + count) as u32, ..span };
                self.playbacks.swap(kept, at);
                (kept, end) = (kept + 1, end + count);
            }
        }
        self.playbacks.truncate(kept);
        self.spans.truncate(kept);
        self.driven.truncate(end);
        self.stopped = 0;
        self.changed();
        if self.clips.iter().any(|clip| clip.playbacks == 0) {
            self.clips.retain(|clip| clip.playbacks > 0);
            let places = self.clips.iter().zip(0..).map(|(clip, at)| ((clip.animation, clip.identity), at));
            self.clip_places = places.collect();
        }
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
        self.with_spans().flat_map(move |(playback, span)| {
            let driven = self.driven[span.range()].iter();
            driven.filter_map(move |target| {
                let (playback, channel) = (playback.id(), target.channel);
                Some(Animator { playback, channel, path: path_of(target)? })
            })
        })
    }
}
