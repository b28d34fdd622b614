//! The cube that the repository brings.

use super::options::Failure;
use fire_engine::assets::{RenderAssets, RenderObjectId};

/// A catalogue with the letter cube, which reaches from -1 to 1 each way, and what a node has to draw to show it.
pub fn letter_cube() -> Result<(RenderAssets, RenderObjectId), Failure> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf");
    let (content, _) = fire_engine::gltf::load(path)?;
    let object = content.scene.nodes().find_map(|node| node.render_object());
    Ok((content.assets, object.ok_or("the letter cube draws nothing")?))
}
