//! When of which clip.

use super::arguments::InspectArguments;
use crate::app::error::AppError;
use crate::app::selection::unknown;
use fire_engine::animation::PlaybackOptions;
use fire_engine::math::Bounds;
use fire_engine::scene::{Content, posed_bounds};
use serde::Serialize;

/// The clip that poses the scene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pose {
    /// Its number.
    pub clip: usize,
    /// When, in seconds from its start; held to its end.
    pub time: f64,
}

/// Poses the content as asked; it stays at rest if nothing is.
///
/// # Errors
/// [`AppError::Unknown`], or a fault of the clip.
pub fn pose(content: &mut Content, arguments: &InspectArguments) -> Result<Option<Pose>, AppError> {
    let Some(asked) = &arguments.clip else { return Ok(None) };
    let names = || content.animations.iter().map(|clip| clip.name());
    let clip = asked.among(names()).ok_or_else(|| unknown("clip", asked, names()))?;
    let (animation, binding) = (&content.animations[clip], &content.bindings[clip]);
    let time = arguments.time.unwrap_or(0.0).min(animation.duration());
    let playback = content.scene.play(animation, binding, PlaybackOptions::default())?;
    content.scene.seek(playback, time)?;
    content.advance(0.0)?;
    content.scene.update_world_transforms();
    Ok(Some(Pose { clip, time }))
}

/// The world-space box of every vertex that is drawn, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Extent {
    /// Smallest coordinates in meters.
    pub min: [f32; 3],
    /// Largest coordinates in meters.
    pub max: [f32; 3],
}

/// How far the content reaches as it is posed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    /// Nothing is drawn.
    Nothing,
    Within(Extent),
    /// Beyond the numbers.
    Infinite,
}

impl Reach {
    pub fn of(content: &Content) -> Self {
        match posed_bounds(&content.assets, &content.scene) {
            None => Self::Nothing,
            Some(bounds) if !bounds.is_finite() => Self::Infinite,
            Some(Bounds { min, max }) => Self::Within(Extent { min: min.to_array(), max: max.to_array() }),
        }
    }
}

impl Serialize for Reach {
    /// `null` unless there is a box.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Within(extent) => extent.serialize(serializer),
            Self::Nothing | Self::Infinite => serializer.serialize_none(),
        }
    }
}
