//! The cached plan.

use super::{PreparationError, ViewMode};
use crate::assets::{
    CatalogueIdentity, ImageId, MaterialId, MeshId, RenderAssets, RenderObjectId, TextureId, TextureRole,
};
use crate::scene::{DrawList, SceneIdentity};
use std::collections::BTreeMap;

/// A render object that is drawn, with what it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PreparedObject {
    /// The render object.
    pub object: RenderObjectId,
    /// Its mesh.
    pub mesh: MeshId,
    /// Its material.
    pub material: MaterialId,
}

/// An image that is drawn, with how it is read; at least one of the two holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ImageUse {
    /// The image.
    pub image: ImageId,
    /// Whether some texture of it is read as color.
    pub color: bool,
    /// Whether some texture of it is read as data.
    pub data: bool,
}

/// Everything that one ordered set of draws needs, each list ascending by id and without duplicates.
///
/// The lists are transitive: objects need meshes and materials, a material the textures that the view mode reads
/// ([`ViewMode::slots`]), a texture its image. Their order is not the draw order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderPlan {
    catalogue: CatalogueIdentity,
    revision: u64,
    view: ViewMode,
    objects: Vec<PreparedObject>,
    meshes: Vec<MeshId>,
    materials: Vec<MaterialId>,
    textures: Vec<TextureId>,
    images: Vec<ImageUse>,
}

impl RenderPlan {
    /// The catalogue that the ids belong to.
    #[must_use]
    pub fn catalogue(&self) -> CatalogueIdentity {
        self.catalogue
    }

    /// The catalogue's revision when the plan was made.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What of the surfaces is drawn.
    #[must_use]
    pub fn view(&self) -> ViewMode {
        self.view
    }

    /// Distinct render objects.
    #[must_use]
    pub fn objects(&self) -> &[PreparedObject] {
        &self.objects
    }

    /// Distinct meshes.
    #[must_use]
    pub fn meshes(&self) -> &[MeshId] {
        &self.meshes
    }

    /// Distinct materials.
    #[must_use]
    pub fn materials(&self) -> &[MaterialId] {
        &self.materials
    }

    /// Distinct textures.
    #[must_use]
    pub fn textures(&self) -> &[TextureId] {
        &self.textures
    }

    /// Distinct images.
    #[must_use]
    pub fn images(&self) -> &[ImageUse] {
        &self.images
    }

    fn new(assets: &RenderAssets, key: &[RenderObjectId], view: ViewMode) -> Result<Self, PreparationError> {
        let count = assets.render_objects().len();
        let missing = key.iter().enumerate().find(|(_, object)| object.index() >= count);
        if let Some((draw, &object)) = missing {
            return Err(PreparationError::UnknownRenderObject { draw, object, count });
        }
        // The checks above and the catalogue's validation make every reference below present.
        let objects: Vec<_> = ascending(key.iter().copied())
            .into_iter()
            .filter_map(|object| {
                let description = assets.render_object(object)?;
                Some(PreparedObject { object, mesh: description.mesh, material: description.material })
            })
            .collect();
        let materials = ascending(objects.iter().map(|object| object.material));
        let read = || {
            let described = materials.iter().filter_map(|&material| assets.material(material));
            described.flat_map(|material| {
                view.slots().filter_map(|kind| Some((material.texture_slot(kind)?.texture, kind.role())))
            })
        };
        let textures = ascending(read().map(|(texture, _)| texture));
        let mut images = BTreeMap::new();
        for (texture, role) in read() {
            let Some(image) = assets.texture(texture).map(|texture| texture.image) else { continue };
            let used = images.entry(image).or_insert(ImageUse { image, color: false, data: false });
            match role {
                TextureRole::Color => used.color = true,
                TextureRole::Data => used.data = true,
            }
        }
        Ok(Self {
            catalogue: assets.identity(),
            revision: assets.revision(),
            view,
            meshes: ascending(objects.iter().map(|object| object.mesh)),
            objects,
            materials,
            textures,
            images: images.into_values().collect(),
        })
    }
}

fn ascending<T: Ord>(ids: impl Iterator<Item = T>) -> Vec<T> {
    let mut ids: Vec<T> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// A cache of one plan with its exact key.
///
/// Returning to an older scene, reordering draws, or adding any asset (even an unused one) is a miss.
#[derive(Debug, Default)]
pub struct RenderPreparation {
    cached: Option<Cached>,
    view: ViewMode,
    generation: u64,
}

#[derive(Debug)]
struct Cached {
    plan: RenderPlan,
    key: Vec<RenderObjectId>,
    /// The draw list's stamp when it last had this key: an equal one spares comparing ids.
    stamp: Option<(SceneIdentity, u64)>,
}

impl RenderPreparation {
    /// Without a plan, at generation 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What of the surfaces the next plans draw; [`ViewMode::BaseColor`] at first.
    #[must_use]
    pub fn view(&self) -> ViewMode {
        self.view
    }

    /// Changes what the next plans draw. The cached plan and the generation stay; the plan is right again when the mode
    /// is changed back before another one is made.
    pub fn set_view(&mut self, view: ViewMode) {
        self.view = view;
    }

    /// Number of misses so far: how many different plans were made. A moving scene stays at 1.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The plan of the last successful build.
    #[must_use]
    pub fn plan(&self) -> Option<&RenderPlan> {
        self.cached.as_ref().map(|cached| &cached.plan)
    }

    /// The plan for drawing `list` from `assets`: the cached one if catalogue, revision, view mode and ids are the same.
    ///
    /// # Errors
    /// [`PreparationError`] if the catalogue is faulty or lacks an object of the list. The cached plan, its key and the
    /// generation then stay as they were, and the same call fails again.
    pub fn build(&mut self, assets: &RenderAssets, list: &DrawList) -> Result<&RenderPlan, PreparationError> {
        let (cached, is_new) = self.look_up(assets, list)?;
        self.generation += u64::from(is_new);
        Ok(&self.cached.insert(cached).plan)
    }

    /// A plan that differs from the cached one, to be compiled first and then [committed](Self::commit); `None` if the
    /// cached one is right. Whoever fails to compile a plan drops it, and nothing has changed.
    pub(crate) fn plan_next(
        &mut self,
        assets: &RenderAssets,
        list: &DrawList,
    ) -> Result<Option<NextPlan>, PreparationError> {
        let (cached, is_new) = self.look_up(assets, list)?;
        if is_new {
            return Ok(Some(NextPlan(cached)));
        }
        self.cached = Some(cached);
        Ok(None)
    }

    /// The cached plan, taken out, if it is right; else a new one, with the cached one left where it is.
    fn look_up(
        &mut self,
        assets: &RenderAssets,
        list: &DrawList,
    ) -> Result<(Cached, bool), PreparationError> {
        let content = (assets.identity(), assets.revision());
        if let Some(hit) = self.cached.take_if(|cached| cached.matches(content, self.view, list)) {
            return Ok((hit, false));
        }
        assets.validate()?;
        Ok((Cached::new(assets, list, self.view)?, true))
    }

    /// Makes a plan the cached one and counts it.
    pub(crate) fn commit(&mut self, next: NextPlan) {
        self.cached = Some(next.0);
        self.generation += 1;
    }

    /// Whether `list` has the ids, and the view mode is the one, that the cached plan was made for, whatever the
    /// catalogue's revision is by now.
    #[must_use]
    pub fn covers(&self, list: &DrawList) -> bool {
        self.cached.as_ref().is_some_and(|cached| cached.plan.view == self.view && cached.has_key(list))
    }
}

/// A plan that is not cached yet, from [`RenderPreparation::plan_next`].
#[derive(Debug)]
pub(crate) struct NextPlan(Cached);

impl NextPlan {
    /// What has to be compiled for it.
    pub(crate) fn plan(&self) -> &RenderPlan {
        &self.0.plan
    }
}

impl Cached {
    fn new(assets: &RenderAssets, list: &DrawList, view: ViewMode) -> Result<Self, PreparationError> {
        let key: Vec<_> = list.items().iter().map(|item| item.render_object).collect();
        Ok(Self { plan: RenderPlan::new(assets, &key, view)?, key, stamp: list.stamp() })
    }

    fn matches(&mut self, content: (CatalogueIdentity, u64), view: ViewMode, list: &DrawList) -> bool {
        let plan = &self.plan;
        let matches = (plan.catalogue, plan.revision) == content && plan.view == view && self.has_key(list);
        if matches {
            self.stamp = list.stamp();
        }
        matches
    }

    fn has_key(&self, list: &DrawList) -> bool {
        (self.stamp.is_some() && self.stamp == list.stamp())
            || self.key.iter().eq(list.items().iter().map(|item| &item.render_object))
    }
}
