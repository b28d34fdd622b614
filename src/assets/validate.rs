//! Validation of the whole catalogue, apart from everything that runs per frame.

use super::{
    AssetError, ImageData, ImageId, MAX_IMAGE_DIMENSION, MAX_JOINT_SETS, Material, MaterialId, Mesh, MeshId,
    RenderAssets, RenderObjectId, TextureId,
};

impl RenderAssets {
    /// Checks every entry, used or not: shapes, ranges and references. Content that passed at this revision is not read
    /// again, so a loaded catalogue costs nothing to check before it is first drawn.
    ///
    /// # Errors
    /// The first [`AssetError`], in the order images, textures, meshes, materials, render objects.
    pub fn validate(&self) -> Result<(), AssetError> {
        if self.has_passed() {
            return Ok(());
        }
        for (id, image) in (0..).map(ImageId::new).zip(self.images()) {
            validate_image(id, image)?;
        }
        for (id, texture) in (0..).map(TextureId::new).zip(self.textures()) {
            if self.image(texture.image).is_none() {
                return Err(AssetError::TextureImage { texture: id, image: texture.image });
            }
        }
        for (id, mesh) in (0..).map(MeshId::new).zip(self.meshes()) {
            validate_mesh(id, mesh, self.is_examined(id))?;
        }
        for (id, material) in (0..).map(MaterialId::new).zip(self.materials()) {
            validate_material(self, id, material)?;
        }
        for (id, object) in (0..).map(RenderObjectId::new).zip(self.render_objects()) {
            if self.mesh(object.mesh).is_none() {
                return Err(AssetError::RenderObjectMesh { object: id, mesh: object.mesh });
            }
            if self.material(object.material).is_none() {
                return Err(AssetError::RenderObjectMaterial { object: id, material: object.material });
            }
        }
        self.set_passed();
        Ok(())
    }
}

fn validate_image(id: ImageId, image: &ImageData) -> Result<(), AssetError> {
    let (width, height) = (image.width, image.height);
    let in_range = 1..=MAX_IMAGE_DIMENSION;
    if !in_range.contains(&width) || !in_range.contains(&height) {
        return Err(AssetError::ImageDimensions { image: id, width, height });
    }
    let complete = image.full_level_count();
    if image.mips.len() != 1 && image.mips.len() != complete as usize {
        return Err(AssetError::ImageLevels { image: id, actual: image.mips.len(), complete });
    }
    for (level, bytes) in image.mips.iter().enumerate() {
        let (width, height) = image.level_dimensions(level as u32);
        // The dimension limit above keeps the product far from overflow.
        let expected = image.format.level_size(width, height).unwrap_or(usize::MAX);
        if bytes.len() != expected {
            return Err(AssetError::ImageBytes { image: id, level, actual: bytes.len(), expected });
        }
    }
    Ok(())
}

/// The first component that is not finite.
fn first_not_finite(components: &[f32]) -> Option<usize> {
    // Blocks without a branch inside are compared several components at a time.
    const BLOCK: usize = 4096;
    let block = components
        .chunks(BLOCK)
        .position(|block| block.iter().fold(false, |bad, component| bad | !component.is_finite()))?;
    let at = components.iter().skip(block * BLOCK).position(|component| !component.is_finite())?;
    Some(block * BLOCK + at)
}

/// The first index that is not below `vertices`.
fn first_out_of_range(indices: &[u32], vertices: usize) -> Option<usize> {
    // The largest is found faster than the first that is too large.
    let largest = indices.iter().copied().max()?;
    if (largest as usize) < vertices {
        return None;
    }
    indices.iter().position(|&index| index as usize >= vertices)
}

/// What is found, if it has to be looked for.
fn unless(examined: bool, find: impl Fn() -> Option<usize>) -> Option<usize> {
    if examined {
        debug_assert_eq!(find(), None, "a mesh was added as examined and is not fit");
        return None;
    }
    find()
}

fn validate_mesh(id: MeshId, mesh: &Mesh, examined: bool) -> Result<(), AssetError> {
    let vertices = mesh.positions.len();
    if vertices == 0 {
        return Err(AssetError::MeshWithoutVertices { mesh: id });
    }
    let count = mesh.index_count();
    let arity = mesh.topology.arity();
    if count == 0 || !count.is_multiple_of(arity) {
        return Err(AssetError::MeshIndexCount { mesh: id, count, arity });
    }
    let largest = count.max(vertices);
    if u32::try_from(largest).is_err() {
        return Err(AssetError::MeshTooLarge { mesh: id, count: largest });
    }
    if let Some(indices) = &mesh.indices
        && let Some(position) = unless(examined, || first_out_of_range(indices, vertices))
    {
        return Err(AssetError::MeshIndexRange { mesh: id, position, index: indices[position], vertices });
    }
    for stream in mesh.streams() {
        let (name, actual) = (|| stream.to_string(), stream.length);
        if let Some(expected) = stream.misfit(vertices) {
            return Err(AssetError::MeshStreamLength { mesh: id, stream: name(), actual, expected });
        }
        if let Some(at) = unless(examined, || first_not_finite(stream.components)) {
            let vertex = at / (stream.components.len() / actual);
            return Err(AssetError::MeshNotFinite { mesh: id, stream: name(), vertex });
        }
    }
    validate_influences(id, mesh)?;
    let (weights, targets) = (mesh.morph_weights.len(), mesh.morph_targets.len());
    if weights != 0 && weights != targets {
        return Err(AssetError::MorphWeightCount { mesh: id, actual: weights, expected: targets });
    }
    if let Some(target) = first_not_finite(&mesh.morph_weights) {
        return Err(AssetError::MorphWeightNotFinite { mesh: id, target });
    }
    Ok(())
}

/// The streams have passed their own checks.
fn validate_influences(id: MeshId, mesh: &Mesh) -> Result<(), AssetError> {
    let sets = &mesh.joint_sets[..];
    if sets.len() > MAX_JOINT_SETS {
        return Err(AssetError::MeshJointSets { mesh: id, actual: sets.len() });
    }
    if let Some(set) = sets.iter().position(|set| set.joints.is_empty()) {
        let (stream, expected) = (format!("joint_sets[{set}].joints"), mesh.positions.len());
        return Err(AssetError::MeshStreamLength { mesh: id, stream, actual: 0, expected });
    }
    let faulty = (0..mesh.positions.len()).take_while(|_| !sets.is_empty()).find(|&vertex| {
        let weights = || sets.iter().flat_map(|set| set.weights[vertex]);
        let sum: f32 = weights().sum();
        weights().any(|weight| weight < 0.0) || (sum - 1.0).abs() > 1e-3
    });
    faulty.map_or(Ok(()), |vertex| Err(AssetError::JointWeights { mesh: id, vertex }))
}

fn validate_material(assets: &RenderAssets, id: MaterialId, material: &Material) -> Result<(), AssetError> {
    if let Some(field) = material.factors().not_finite() {
        return Err(AssetError::MaterialNotFinite { material: id, field });
    }
    for (slot, used) in material.texture_slots() {
        if assets.texture(used.texture).is_none() {
            return Err(AssetError::MaterialTexture {
                material: id,
                slot: slot.name(),
                texture: used.texture,
            });
        }
    }
    Ok(())
}
