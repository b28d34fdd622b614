//! A scene together with what it draws and what can play on it.

use super::arena::Scene;
use super::document::DocumentMap;
use super::id::SceneNodeId;
use super::play::ClipBinding;
use super::variant_objects::VariantObjects;
use crate::animation::{
    Animation, AnimationChannel, AnimationError, AnimationId, PlaybackId, PlaybackOptions, TargetPath,
};
use crate::assets::{AssetError, MaterialId, RenderAssets, RenderObjectId};
use std::collections::HashSet;

/// What a loader returns and a procedural program fills.
#[derive(Debug, Default)]
pub struct Content {
    /// What is drawn.
    pub assets: RenderAssets,
    /// Where it is drawn.
    pub scene: Scene,
    /// The clips; their position is their [`AnimationId`].
    pub animations: Vec<Animation>,
    /// Which nodes each clip drives. A loader makes one per clip, in order.
    pub bindings: Vec<ClipBinding>,
    /// Where it came from.
    pub document: DocumentMap,
}

/// A fault in content, found before anything is drawn or played.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentError {
    /// The catalogue is faulty.
    #[error(transparent)]
    Assets(#[from] AssetError),
    /// A clip cannot be bound.
    #[error(transparent)]
    Animation(#[from] AnimationError),
    /// A node draws something that the catalogue does not have.
    #[error(
        "node \"{node}\" draws render object {object}, but the catalogue has {count}; add it first and use the id it returns"
    )]
    UnknownRenderObject {
        /// Name of the node.
        node: String,
        /// What it refers to.
        object: RenderObjectId,
        /// Number of render objects in the catalogue.
        count: usize,
    },
}

impl Content {
    /// Checks the catalogue, every binding with its clip, every clip that plays, and every render object that the scene
    /// draws under any variant, in this order. A binding whose node was removed since is a fault here, though a clip that
    /// already plays on it goes on without that node.
    ///
    /// # Errors
    /// The first [`ContentError`], naming the object at fault.
    pub fn validate(&self) -> Result<(), ContentError> {
        self.assets.validate()?;
        for binding in &self.bindings {
            self.scene.check_binding(self.clip(binding.animation)?, binding)?;
        }
        self.scene.playing.check_clips(&self.animations)?;
        let count = self.assets.render_objects().len();
        for node in self.scene.nodes() {
            let objects = [node.default_object(), node.variants().and_then(VariantObjects::largest_object)];
            if let Some(object) = objects.into_iter().flatten().find(|object| object.index() >= count) {
                return Err(ContentError::UnknownRenderObject {
                    node: node.name().to_owned(),
                    object,
                    count,
                });
            }
        }
        Ok(())
    }

    /// Starts every bound clip from 0 s, looping; the playbacks are in the order of the bindings. Called twice, everything
    /// plays twice. Clips that drive the same property are mixed alike; of several for one figure, play one with
    /// [`Scene::play`], or let [`play_first`](Self::play_first) choose.
    ///
    /// # Errors
    /// [`AnimationError`] of the first binding that cannot be played; then none is started.
    pub fn play_all(&mut self) -> Result<Vec<PlaybackId>, AnimationError> {
        self.play_where(|_, _| true)
    }

    /// Starts, from 0 s and looping, the first bound clip and each later one that drives nothing which an earlier one
    /// drives: of several clips of a figure one, of several figures each. What a viewer plays when nothing is chosen.
    ///
    /// # Errors
    /// As [`play_all`](Self::play_all).
    pub fn play_first(&mut self) -> Result<Vec<PlaybackId>, AnimationError> {
        let mut driven = HashSet::new();
        self.play_where(|clip, binding| {
            let drives = || clip.channels().iter().map(|channel| driven_by(binding, channel));
            let free = drives().all(|target| !driven.contains(&target));
            if free {
                driven.extend(drives());
            }
            free
        })
    }

    /// Starts the bound clips that are wanted, all of which are checked before.
    fn play_where(
        &mut self,
        mut wanted: impl FnMut(&Animation, &ClipBinding) -> bool,
    ) -> Result<Vec<PlaybackId>, AnimationError> {
        for binding in &self.bindings {
            self.scene.check_binding(self.clip(binding.animation)?, binding)?;
        }
        let Self { scene, animations, bindings, .. } = self;
        let bound = bindings.iter().map(|binding| (&animations[binding.animation.index()], binding));
        bound
            .filter(|(clip, binding)| wanted(clip, binding))
            .map(|(clip, binding)| scene.play(clip, binding, PlaybackOptions::default()))
            .collect()
    }

    /// Advances everything that plays; see [`super::advance_animations`].
    ///
    /// # Errors
    /// As [`super::advance_animations`].
    pub fn advance(&mut self, elapsed_seconds: f64) -> Result<(), AnimationError> {
        super::advance_animations(&mut self.scene, &self.animations, elapsed_seconds)
    }

    fn clip(&self, animation: AnimationId) -> Result<&Animation, AnimationError> {
        let count = self.animations.len();
        self.animations.get(animation.index()).ok_or(AnimationError::UnknownClip { animation, count })
    }
}

/// A node or a material, with what of it a channel drives; one weight counts as all of them.
type Driven = (Option<SceneNodeId>, Option<MaterialId>, TargetPath);

/// The binding fits the clip.
fn driven_by(binding: &ClipBinding, channel: &AnimationChannel) -> Driven {
    let slot = channel.slot.index();
    match channel.path {
        path if path.is_material() => (None, binding.materials.get(slot).copied(), path),
        TargetPath::Weight(_) => (binding.nodes.get(slot).copied(), None, TargetPath::Weights),
        path => (binding.nodes.get(slot).copied(), None, path),
    }
}
