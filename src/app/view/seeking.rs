//! One time for all clips.

use super::deck::{Clip, Deck};
use fire_engine::animation::{AnimationError, LoopMode};
use fire_engine::scene::Content;

impl Deck {
    /// Moves every clip that plays to where it is once the one that [leads](Self::leader) comes to a time of its own, if all
    /// of them began together: at their start, or at their end if they play backward. Each passes its ends as it repeats,
    /// and one that would turn back there goes on forward, as after [`seek`](Self::seek). One of speed 0 stays where it
    /// is, unless it leads.
    ///
    /// # Errors
    /// As [`seek`](Self::seek).
    pub fn seek_all(&mut self, content: &mut Content, time: f64) -> Result<(), AnimationError> {
        let Some(leader) = self.leader(content) else { return Ok(()) };
        let speed = self.speed;
        let from_begin = |clip: Clip, duration: f64, time: f64| {
            if clip.speed * speed < 0.0 { duration - time } else { time }
        };
        let (first, duration) = (self.clips[leader], self.facts(content, leader).1);
        // The speed of all of them together is the same for each.
        let pace = if first.speed == 0.0 { 1.0 } else { first.speed.abs() };
        let elapsed = from_begin(first, duration, time.clamp(0.0, duration)) / pace;
        for position in 0..self.clips.len() {
            let (clip, duration) = (self.clips[position], self.facts(content, position).1);
            if position == leader {
                self.seek(content, position, time)?;
            } else if clip.speed != 0.0 && duration > 0.0 {
                let passed = folded(elapsed * clip.speed.abs(), duration, clip.loop_mode);
                self.seek(content, position, from_begin(clip, duration, passed))?;
            }
        }
        Ok(())
    }
}

/// How far a clip of that length is from where it began, after so many seconds of its own. What comes to an end exactly is
/// there, and not yet at the next start.
fn folded(passed: f64, duration: f64, mode: LoopMode) -> f64 {
    let rest = passed % duration;
    let in_round = if rest == 0.0 && passed > 0.0 { duration } else { rest };
    match mode {
        LoopMode::Forever => in_round,
        LoopMode::Times(times) if passed < f64::from(times) * duration => in_round,
        LoopMode::PingPong => {
            let rest = passed % (2.0 * duration);
            rest.min(2.0 * duration - rest)
        }
        _ => passed.min(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::deck::tests::started;

    /// Three clips beside a leader of 4 s, all of which play; the first of the three is as `wanted`.
    fn beside_a_leader(wanted: Clip, leader_speed: f64) -> (Content, Deck) {
        let (mut content, mut deck) =
            started(&[("wanted", 1.5), ("leader", 4.0), ("same", 4.0), ("still", 3.0)]);
        for position in [1, 2, 3] {
            deck.start(&mut content, position, 0.0).unwrap();
        }
        deck.set(&mut content, 0, wanted).unwrap();
        // The last of the longest leads.
        for (position, speed) in [(2, leader_speed), (3, 0.0)] {
            deck.set(&mut content, position, Clip { speed, ..deck.clips[position] }).unwrap();
        }
        assert_eq!(deck.leader(&content), Some(2));
        (content, deck)
    }

    #[test]
    fn all_clips_go_to_where_they_are_when_the_leader_is_at_a_time() {
        let wanted = |speed, loop_mode| Clip { playback: None, weight: 1.0, speed, loop_mode };
        let times = |clip: Clip, leader_speed: f64, time: f64| {
            let (mut content, mut deck) = beside_a_leader(clip, leader_speed);
            deck.seek(&mut content, 3, 2.5).unwrap();
            deck.seek_all(&mut content, time).unwrap();
            assert_eq!(deck.time(&content, 2), Some(time.clamp(0.0, 4.0)), "the leader");
            assert_eq!(deck.time(&content, 3), Some(2.5), "one that stands still");
            (deck.time(&content, 0).unwrap(), deck.time(&content, 1).unwrap())
        };
        let forever = LoopMode::Forever;
        // At the same time, round its own end.
        assert_eq!(times(wanted(1.0, forever), 1.0, 1.25), (1.25, 1.25));
        assert_eq!(times(wanted(1.0, forever), 1.0, 3.25), (0.25, 3.25));
        assert_eq!(times(wanted(1.0, forever), 1.0, 3.0), (1.5, 3.0), "twice its length is its end");
        assert_eq!(times(wanted(1.0, forever), 1.0, 4.0), (1.0, 4.0), "one as long ends with the leader");
        assert_eq!(times(wanted(1.0, forever), 1.0, 0.0), (0.0, 0.0));
        assert_eq!(times(wanted(1.0, forever), 1.0, -7.0), (0.0, 0.0));
        // At its end, or back from it.
        assert_eq!(times(wanted(1.0, LoopMode::Once), 1.0, 3.25).0, 1.5);
        assert_eq!(times(wanted(1.0, LoopMode::Times(2)), 1.0, 2.0).0, 0.5);
        assert_eq!(times(wanted(1.0, LoopMode::Times(2)), 1.0, 3.25).0, 1.5);
        assert_eq!(times(wanted(1.0, LoopMode::PingPong), 1.0, 2.0).0, 1.0);
        assert_eq!(times(wanted(1.0, LoopMode::PingPong), 1.0, 3.25).0, 0.25);
        // Backward from its end.
        assert_eq!(times(wanted(-1.0, forever), 1.0, 0.25).0, 1.25);
        assert_eq!(times(wanted(-1.0, forever), 1.0, 2.0).0, 1.0);
        // Each at its own speed: a leader of half of it takes twice as long, and one of none counts as of 1.
        assert_eq!(times(wanted(1.0, forever), 0.5, 1.0), (0.5, 2.0));
        assert_eq!(times(wanted(2.0, forever), 1.0, 0.5).0, 1.0);
        assert_eq!(times(wanted(1.0, forever), 0.0, 1.25), (1.25, 1.25));
        // A leader that plays backward is half a second after its end.
        assert_eq!(times(wanted(1.0, forever), -1.0, 3.5), (0.5, 0.5));
    }

    #[test]
    fn clips_sought_together_stand_as_if_they_had_played_to_there() {
        for speed in [1.0, -1.0] {
            let clip = Clip { playback: None, weight: 1.0, speed: 0.75, loop_mode: LoopMode::Forever };
            let (mut played, mut deck) = beside_a_leader(clip, 1.0);
            let (mut sought, mut other) = beside_a_leader(clip, 1.0);
            for (content, deck) in [(&mut played, &mut deck), (&mut sought, &mut other)] {
                deck.set_speed(content, speed).unwrap();
                deck.restart(content).unwrap();
            }
            played.advance(3.25).unwrap();
            other.seek_all(&mut sought, deck.time(&played, 2).unwrap()).unwrap();
            for position in 0..3 {
                assert_eq!(
                    deck.time(&played, position),
                    other.time(&sought, position),
                    "{position} at {speed}"
                );
            }
        }
        let (mut content, mut deck) = started(&[("pose", 0.0)]);
        deck.seek_all(&mut content, 1.0).unwrap();
        deck.stop(&mut content, 0).unwrap();
        deck.seek_all(&mut content, 1.0).unwrap();
    }
}
