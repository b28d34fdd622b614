//! The one call per frame that moves nodes.

use super::arena::Scene;
use super::rows::NONE;
use crate::animation::{Animation, AnimationError, TargetPath};

/// Advances every playback of `scene` by `elapsed_seconds` and writes the sampled properties into the local transforms.
///
/// Only driven properties are replaced; world matrices follow at [`Scene::update_world_transforms`]. Where two playbacks
/// drive one property, the later started one wins. `animations` is the list that the playbacks' clips are positions in;
/// the caller owns the clock.
///
/// A looping playback wraps at its clip's length (the exact end is time 0 again), a one-shot holds the last keyframe, and
/// a clip of 0 s shows its only pose. Nothing is allocated.
///
/// # Errors
/// [`AnimationError::Time`] unless `elapsed_seconds` is finite and at least 0; [`AnimationError::UnknownClip`] or
/// [`AnimationError::ClipChanged`] if the list does not hold a clip that plays. All of it is checked before any node or
/// time changes.
pub fn advance_animations(
    scene: &mut Scene,
    animations: &[Animation],
    elapsed_seconds: f64,
) -> Result<(), AnimationError> {
    let elapsed = crate::animation::checked_time("elapsed time", elapsed_seconds)?;
    scene.check_clips(animations)?;
    scene.refresh_driven_rows();
    let playing = &mut scene.playing;
    for (playback, range) in playing.playbacks.iter_mut().zip(&playing.ranges) {
        playback.advance(elapsed);
        let (time, interpolation) = (playback.time(), playback.rotation_interpolation());
        let clip = &animations[playback.animation().index()];
        for target in &mut playing.driven[range.clone()] {
            if target.row == NONE {
                continue;
            }
            let transform = &mut scene.rows.transform[target.row as usize];
            match target.path {
                TargetPath::Rotation => {
                    let cursor = &mut target.cursor;
                    transform.rotation = clip.rotation_at(target.sampler, time, interpolation, cursor);
                }
            }
        }
    }
    scene.pose_dirty |= !playing.driven.is_empty();
    Ok(())
}
