//! What is meant among a model's clips, cameras and variants.

use super::error::AppError;
use super::output::printable;
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

/// Checks that `none` is not said beside clips.
///
/// # Errors
/// [`AppError::Usage`].
pub fn check_clips(choices: &[Choice]) -> Result<(), AppError> {
    let other = choices.iter().find(|choice| choice.text() != "none");
    match other.filter(|_| choices.iter().any(|choice| choice.text() == "none")) {
        Some(other) => {
            let other = printable(other.text());
            Err(AppError::Usage(format!("--clip none and --clip {other}: leave one out")))
        }
        None => Ok(()),
    }
}

/// The node with the camera that is meant: by its number among those nodes, the node's name, or else the camera's own.
///
/// # Errors
/// [`AppError::Unknown`] lists the cameras.
pub fn camera(choice: &Choice, content: &Content) -> Result<SceneNodeId, AppError> {
    let cameras: Vec<_> = content.scene.cameras().map(|(node, _)| node).collect();
    let own = || cameras.iter().position(|node| node.camera_name() == choice.text());
    let position = choice.among(cameras.iter().map(|node| node.name())).or_else(own);
    let labels = cameras.iter().enumerate().map(|(index, node)| match node.camera_name() {
        own if own.is_empty() || own == node.name() => format!("{index} {:?}", node.name()),
        own => format!("{index} {:?} (camera {own:?})", node.name()),
    });
    let position = position.ok_or_else(|| absent("camera", choice, labels))?;
    Ok(cameras[position].id())
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
    absent(what, choice, names.enumerate().map(|(index, name)| format!("{index} {name:?}")))
}

fn absent(what: &'static str, choice: &Choice, labels: impl ExactSizeIterator<Item = String>) -> AppError {
    let count = labels.len();
    let mut there: Vec<String> = labels.take(LISTED).collect();
    if count > LISTED {
        there.push(format!("and {} more", count - LISTED));
    }
    let there = match count {
        0 => format!("the file has no {what}"),
        _ => format!("there are: {}", there.join(", ")),
    };
    AppError::Unknown { what, asked: choice.text().to_owned(), there }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::values::choice;
    use fire_engine::scene::Projection;

    #[test]
    fn none_stands_alone() {
        let checked = |clips: &[&str]| {
            let clips: Vec<Choice> = clips.iter().map(|clip| choice(clip).unwrap()).collect();
            check_clips(&clips).map_err(|error| error.to_string())
        };
        for good in [&[][..], &["none"], &["none", "none"], &["all", "0", "Walk"]] {
            assert_eq!(checked(good), Ok(()), "{good:?}");
        }
        for bad in [&["none", "all"][..], &["Walk", "none"], &["0", "1", "none"]] {
            assert!(checked(bad).unwrap_err().starts_with("--clip none and --clip "), "{bad:?}");
        }
    }

    #[test]
    fn a_camera_has_its_own_name_and_that_of_its_node() {
        let mut content = Content::default();
        let projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 };
        let names = [("Front", "Wide"), ("Wide", "Tele"), ("", "Top"), ("Plain", "")];
        let nodes = names.map(|(name, own)| {
            let node = content.scene.add_root(name).unwrap();
            let mut edit = content.scene.find_mut(node).unwrap();
            edit.set_camera(Some(projection));
            edit.set_camera_name(own);
            node
        });
        let found = |asked: &str| camera(&choice(asked).unwrap(), &content);
        for (asked, expected) in
            [("0", 0), ("Front", 0), ("Wide", 1), ("Tele", 1), ("Top", 2), ("2", 2), ("Plain", 3)]
        {
            assert_eq!(found(asked).unwrap(), nodes[expected], "{asked}");
        }
        let error = found("Side").unwrap_err().to_string();
        let there = r#"0 "Front" (camera "Wide"), 1 "Wide" (camera "Tele"), 2 "" (camera "Top"), 3 "Plain""#;
        assert_eq!(error, format!("no camera \"Side\"; there are: {there}"));
    }
}
