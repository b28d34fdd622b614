//! Moments of a clip that an application wants to hear about.

use super::clock::Travel;
use super::id::{AnimationId, PlaybackId};

/// A moment of a clip: a footstep, a hit, the end of a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationEvent {
    /// Seconds from the clip's start, up to its duration.
    pub time: f64,
    /// For the application; may be empty or shared with another event.
    pub name: String,
}

/// A playback whose time reached or passed an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FiredEvent {
    /// The playback.
    pub playback: PlaybackId,
    /// Its clip's position.
    pub animation: AnimationId,
    /// Position among the clip's [`events`](super::Animation::events).
    pub event: u32,
    /// How often: 1, unless a single step went round the clip several times, or nobody drained for long.
    pub crossings: u64,
}

/// Calls `fire` with the position of each event that `travel` reaches and how often, in order of time as far as a step
/// within two rounds goes. `events` ascend in time.
pub(super) fn crossed(events: &[AnimationEvent], travel: &Travel, mut fire: impl FnMut(u32, u64)) {
    let Travel { from, to, backward, includes_start, turns, bounces, duration } = *travel;
    if turns == 0 {
        return sweep(events, from, to, backward, includes_start, &mut fire);
    }
    let (start, end) = if backward { (duration, 0.0) } else { (0.0, duration) };
    sweep(events, from, end, backward, includes_start, &mut fire);
    let whole = turns - 1;
    if whole > 0 {
        for (index, event) in (0..).zip(events) {
            // A bounce reaches each end every other time, beginning with the one it heads for.
            let crossings = match event.time {
                time if bounces && time == start => whole.div_ceil(2),
                time if bounces && time == end => whole / 2,
                _ => whole,
            };
            if crossings > 0 {
                fire(index, crossings);
            }
        }
    }
    if !bounces {
        sweep(events, start, to, backward, true, &mut fire);
    } else if turns % 2 == 1 {
        sweep(events, end, to, !backward, false, &mut fire);
    } else {
        sweep(events, start, to, backward, false, &mut fire);
    }
}

/// The events between two times of one round, the arrival always included.
fn sweep(
    events: &[AnimationEvent],
    from: f64,
    to: f64,
    backward: bool,
    includes_start: bool,
    fire: &mut impl FnMut(u32, u64),
) {
    let count = |time: f64, inclusive: bool| {
        events.partition_point(|event| event.time < time || (inclusive && event.time == time))
    };
    if backward {
        for index in (count(to, false)..count(from, includes_start)).rev() {
            fire(index as u32, 1);
        }
    } else {
        for index in count(from, !includes_start)..count(to, true) {
            fire(index as u32, 1);
        }
    }
}
