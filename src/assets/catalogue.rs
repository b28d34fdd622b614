//! The append-only catalogue.

use super::{
    ImageData, ImageId, Material, MaterialId, Mesh, MeshExtent, MeshId, RenderObjectId, Texture, TextureId,
};
use crate::math::Bounds;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A mesh drawn with a material: what a scene node refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RenderObject {
    /// The geometry.
    pub mesh: MeshId,
    /// The surface.
    pub material: MaterialId,
}

unique_id! {
    /// Names one catalogue for the life of the process; no other ever gets the same value, even at the same address.
    CatalogueIdentity
}

/// Everything that can be drawn, one dense list per kind.
///
/// Entries are added and never edited or removed, so an id stays right for the catalogue's life, and
/// ([`identity`](Self::identity), [`revision`](Self::revision)) names the exact content. Not `Clone`, for that reason.
#[derive(Debug)]
pub struct RenderAssets {
    identity: CatalogueIdentity,
    revision: u64,
    /// The latest revision that [`validate`](Self::validate) passed; entries never change, so it would pass again. Orders
    /// no other memory: whoever adds has the catalogue alone.
    passed: AtomicU64,
    meshes: Vec<Mesh>,
    /// By mesh, as far as it reaches: whether its components and indices are known to be fit.
    examined: Vec<bool>,
    /// How far each mesh reaches, read from its vertices when it is first asked for.
    extents: Vec<OnceLock<MeshExtent>>,
    images: Vec<ImageData>,
    textures: Vec<Texture>,
    materials: Vec<Material>,
    render_objects: Vec<RenderObject>,
}

impl Default for RenderAssets {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! catalogue_kind {
    ($add:ident, $list:ident $(and $beside:ident)?, $get:ident, $item:ty, $id:ident, $what:literal) => {
        #[doc = concat!("Adds ", $what, ", returns its id and raises the revision by one.")]
        pub fn $add(&mut self, item: $item) -> $id {
            let id = $id::new(u32::try_from(self.$list.len()).unwrap_or(u32::MAX));
            self.$list.push(item);
            $(self.$beside.push(Default::default());)?
            self.revision += 1;
            id
        }

        #[doc = concat!("Every such entry in order of addition; an id's index is its position (", $what, ").")]
        #[must_use]
        pub fn $list(&self) -> &[$item] {
            &self.$list
        }

        #[doc = concat!("The entry that `id` names (", $what, "), or `None`.")]
        #[must_use]
        pub fn $get(&self, id: $id) -> Option<&$item> {
            self.$list.get(id.index())
        }
    };
}

impl RenderAssets {
    /// An empty catalogue at revision 0.
    #[must_use]
    pub fn new() -> Self {
        Self {
            identity: CatalogueIdentity::next(),
            revision: 0,
            // An empty catalogue has nothing to check.
            passed: AtomicU64::new(0),
            meshes: Vec::new(),
            examined: Vec::new(),
            extents: Vec::new(),
            images: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            render_objects: Vec::new(),
        }
    }

    /// Which catalogue this is.
    #[must_use]
    pub fn identity(&self) -> CatalogueIdentity {
        self.identity
    }

    /// Number of additions so far.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether the content as it is now has passed validation.
    pub(super) fn has_passed(&self) -> bool {
        self.passed.load(Ordering::Relaxed) == self.revision
    }

    /// Remembers that the content as it is now has passed validation.
    pub(super) fn set_passed(&self) {
        self.passed.store(self.revision, Ordering::Relaxed);
    }

    /// As [`add_mesh`](Self::add_mesh), for a mesh of which whoever read it has seen that every component is finite and every
    /// index in range. [`validate`](Self::validate) does not read them again.
    #[cfg(feature = "gltf")]
    pub(crate) fn add_examined_mesh(&mut self, mesh: Mesh) -> MeshId {
        self.examined.resize(self.meshes.len(), false);
        self.examined.push(true);
        self.add_mesh(mesh)
    }

    /// Whether the mesh was added as one whose components and indices are known to be fit.
    pub(super) fn is_examined(&self, mesh: MeshId) -> bool {
        self.examined.get(mesh.index()).copied().unwrap_or(false)
    }

    /// How far a mesh reaches. Its vertices are read once; entries never change.
    pub(crate) fn mesh_extent(&self, mesh: MeshId) -> Option<&MeshExtent> {
        let (extent, mesh) = (self.extents.get(mesh.index())?, self.mesh(mesh)?);
        Some(extent.get_or_init(|| MeshExtent::of(mesh)))
    }

    /// The object-space box of what a mesh draws at rest, morph targets left aside: of the vertices that its indices use.
    /// `None` if there is no such mesh or it draws nothing; [`Bounds::EVERYWHERE`] if a position is not finite. Reads the
    /// vertices once and remembers.
    #[must_use]
    pub fn mesh_bounds(&self, mesh: MeshId) -> Option<Bounds> {
        self.mesh_extent(mesh)?.rest()
    }

    catalogue_kind!(add_mesh, meshes and extents, mesh, Mesh, MeshId, "a mesh");
    catalogue_kind!(add_image, images, image, ImageData, ImageId, "an image");
    catalogue_kind!(add_texture, textures, texture, Texture, TextureId, "a texture");
    catalogue_kind!(add_material, materials, material, Material, MaterialId, "a material");
    catalogue_kind!(
        add_render_object,
        render_objects,
        render_object,
        RenderObject,
        RenderObjectId,
        "a render object"
    );
}

#[cfg(test)]
mod tests {
    use super::super::AssetError;
    use super::*;

    #[test]
    fn every_addition_raises_the_revision_by_one_and_ids_are_dense() {
        let mut assets = RenderAssets::new();
        assert_eq!(assets.revision(), 0);
        assert_eq!(assets.add_mesh(Mesh::default()).get(), 0);
        assert_eq!(assets.add_mesh(Mesh::default()).get(), 1);
        let image = assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
        assets.add_texture(Texture::new(image));
        assert_eq!(assets.revision(), 4);
        assert_eq!(assets.mesh(MeshId::new(2)), None);
    }

    #[test]
    fn what_passed_is_not_read_again_and_a_later_addition_is() {
        let mut assets = RenderAssets::new();
        let image = assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
        assert_eq!(assets.validate(), Ok(()));
        // Nothing outside this file can edit an entry, so that the fault goes unseen shows that it is not looked for.
        assets.images[0].width = 2;
        assert_eq!(assets.validate(), Ok(()));
        assets.add_texture(Texture::new(image));
        let fault = AssetError::ImageBytes { image, level: 0, actual: 4, expected: 8 };
        assert_eq!(assets.validate(), Err(fault.clone()));
        assert_eq!(assets.validate(), Err(fault), "a failure is not taken for a pass");
    }

    #[test]
    fn two_catalogues_never_share_an_identity_even_at_one_address() {
        let mut seen = Vec::new();
        for _ in 0..4 {
            let boxed = Box::new(RenderAssets::new());
            assert!(!seen.contains(&boxed.identity()));
            seen.push(boxed.identity());
        }
    }
}
