//! What keys, the panel and the window system ask for.

use super::deck::Clip;
use fire_engine::scene::{SceneNodeId, VariantId};
use fire_engine::vulkan::{PresentMode, ViewMode};
use std::path::PathBuf;

/// Something to do before the next frame. Keys and the panel give the same orders.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Bring the model, as it is posed, into view.
    Frame,
    /// Forget what went wrong.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel shows it"))]
    Dismiss,
    /// Forget the model that could not be shown, for the one on show.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists models"))]
    Stay,
    /// Show or hide the panel.
    TogglePanel,
    /// Show or hide what keys and the mouse do.
    ToggleKeys,
    /// Fill the screen, or no longer.
    ToggleFullScreen,
    /// Hide the list of keys, leave full screen, or end.
    Escape,
    /// Let time pass, or stand still.
    TogglePlay,
    /// Move all clips by so many seconds.
    Nudge(f64),
    /// Move all clips to where they are once the one that leads is at so many seconds.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "the panel has the time line"))]
    SeekAll(f64),
    /// Put all clips to their start.
    Restart,
    /// Show a model so many places on in the list, round its end.
    Neighbor(isize),
    /// Put files on the list, and load the first.
    Open(Vec<PathBuf>),
    /// Load the file again.
    Reload,
    /// Another scene of the file.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists scenes"))]
    Scene(usize),
    /// Draw something else of the surfaces.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists modes"))]
    Mode(ViewMode),
    /// The next mode that the device can draw.
    NextMode,
    /// How frames reach the screen.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists them"))]
    Present(PresentMode),
    /// The background, linear.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel asks for it"))]
    Background([f32; 4]),
    /// Look through a node's camera, or around the model.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists cameras"))]
    Look(Option<SceneNodeId>),
    /// Look through the file's next camera, after the last around the model.
    NextCamera,
    /// Let lines stay parallel in the view around the model, or meet.
    ToggleProjection,
    /// Show a variant of the materials.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists variants"))]
    Variant(Option<VariantId>),
    /// The next variant, after the last none.
    NextVariant,
    /// Something with one clip.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists clips"))]
    Clip(usize, ClipOrder),
    /// The speed of all clips.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel has a speed"))]
    Speed(f64),
}

/// Something to do with one clip.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "only the panel lists clips"))]
pub enum ClipOrder {
    /// Play it beside the others.
    Start,
    /// Stop it.
    Stop,
    /// Play it instead of the others.
    Solo,
    /// Go to a time of it, in seconds.
    Seek(f64),
    /// Play it with another weight, speed or end.
    Set(Clip),
}
