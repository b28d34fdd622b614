//! What is meant among a model's clips, cameras and variants.

use super::error::AppError;
use super::values::Choice;
use fire_engine::gltf::SceneChoice;
use fire_engine::scene::{Content, SceneNodeId, VariantId};

/// The clips to play: without any choice the first, if there is one. Each plays once, in the order of the file.
///
/// # Errors
/// [`AppError::Unknown`] lists the clips that there are.
pub fn clips(choices: &[Choice], content: &Content) -> Result<Vec<usize>, AppError> {
    let names = || content.animations.iter().map(|clip| clip.name());
    if choices.is_empty() {
        return Ok((0..names().len().min(1)).collect());
    }
    let mut chosen = Vec::new();
    for choice in choices {
        match choice.text() {
            "all" => chosen.extend(0..names().len()),
            "none" => {}
            _ => chosen.push(choice.among(names()).ok_or_else(|| unknown("clip", choice, names()))?),
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// The node with the camera that is meant.
///
/// # Errors
/// [`AppError::Unknown`] lists the nodes with cameras.
pub fn camera(choice: &Choice, content: &Content) -> Result<SceneNodeId, AppError> {
    let cameras: Vec<_> = content.scene.cameras().map(|(node, _)| (node.id(), node.name())).collect();
    let names = || cameras.iter().map(|(_, name)| *name);
    let position = choice.among(names()).ok_or_else(|| unknown("camera", choice, names()))?;
    Ok(cameras[position].0)
}

/// Shows the variant that is meant.
///
/// # Errors
/// [`AppError::Unknown`] lists the variants.
pub fn show_variant(choice: &Choice, content: &mut Content) -> Result<(), AppError> {
    let scene = &mut content.scene;
    let position =
        choice.among(scene.variants()).ok_or_else(|| unknown("variant", choice, scene.variants()))?;
    Ok(scene.set_variant(Some(VariantId::new(position as u32)))?)
}

/// The scene to load. Which scenes there are, the loader says.
pub fn scene(choice: Option<&Choice>) -> Option<SceneChoice> {
    choice.map(|choice| choice.number().map_or_else(|| SceneChoice::from(choice.text()), SceneChoice::from))
}

/// At most so many names are listed.
const LISTED: usize = 50;

/// Says that there is no such thing, and what there is.
pub fn unknown<'a>(
    what: &'static str,
    choice: &Choice,
    names: impl ExactSizeIterator<Item = &'a str>,
) -> AppError {
    let count = names.len();
    let mut there: Vec<String> =
        names.take(LISTED).enumerate().map(|(index, name)| format!("{index} {name:?}")).collect();
    if count > LISTED {
        there.push(format!("and {} more", count - LISTED));
    }
    let there = match count {
        0 => format!("the file has no {what}"),
        _ => format!("there are: {}", there.join(", ")),
    };
    AppError::Unknown { what, asked: choice.text().to_owned(), there }
}
