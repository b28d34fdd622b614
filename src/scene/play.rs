//! Which clips play on which nodes.

use super::append::NodeMap;
use super::arena::Scene;
use super::driven::{Company, Driven, Part};
use super::factors::Owner;
use super::id::SceneNodeId;
use super::local::LocalTransform;
use super::node::NodeRef;
use super::pose_parts::drivers;
use super::rows::NONE;
use crate::animation::{
    Animation, AnimationChannel, AnimationError, AnimationId, ChannelId, Playback, PlaybackId,
    PlaybackOptions, TargetPath,
};
use crate::assets::MaterialId;

/// Which node, or material, each slot of a clip means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClipBinding {
    /// The clip's position in the list of clips.
    pub animation: AnimationId,
    /// One node a slot.
    pub nodes: Vec<SceneNodeId>,
    /// One material a material slot. What is drawn with it anywhere in the scene changes.
    pub materials: Vec<MaterialId>,
}

impl ClipBinding {
    /// A clip that drives nodes alone.
    #[must_use]
    pub fn new(animation: AnimationId, nodes: Vec<SceneNodeId>) -> Self {
        Self { animation, nodes, materials: Vec::new() }
    }

    /// The same clip on copies of the nodes, as [`Scene::append`] made them. A node without a copy stays, and so do
    /// materials, which copies share.
    #[must_use]
    pub fn remapped(&self, map: &NodeMap) -> Self {
        Self {
            animation: self.animation,
            nodes: self.nodes.iter().map(|&node| map.get(node).unwrap_or(node)).collect(),
            materials: self.materials.clone(),
        }
    }
}

impl Scene {
    /// Starts a clip on the nodes and materials of `binding`; every playback has its own time. The pose changes at the next
    /// [`advance_animations`](super::advance_animations) (an elapsed time of 0 shows the start).
    ///
    /// Everything is checked here once; nothing starts if it fails. A node whose weights the clip drives and that has
    /// none gets as many as the clip has, 0 at rest; where the numbers differ, the smaller one is driven, and
    /// weights beyond it rest.
    ///
    /// # Errors
    /// [`AnimationError`]: a binding of the wrong length, a driven node that is not here, one that has a matrix where the
    /// clip drives a part of the transform, or no camera or light with the number that the clip drives, a material without
    /// factors here ([`set_material_factors`](Self::set_material_factors)), options out of their range.
    pub fn play(
        &mut self,
        animation: &Animation,
        binding: &ClipBinding,
        options: PlaybackOptions,
    ) -> Result<PlaybackId, AnimationError> {
        let playback = Playback::new(binding.animation, animation, options)?;
        self.check_binding(animation, binding)?;
        let (id, start) = (playback.id(), self.playing.driven.len());
        // By kind, so that the loop over them has no other branch to guess.
        let channels = || (0..).zip(animation.channels());
        channels()
            .filter(|(_, channel)| animation.is_linear_rotation(channel))
            .for_each(|(index, channel)| self.drive(animation, binding, index, channel));
        let linear_rotations = (self.playing.driven.len() - start) as u32;
        for part in [Part::Rotation, Part::Translation, Part::Scale, Part::Weights, Part::Factor] {
            channels()
                .filter(|(_, channel)| {
                    Part::of(channel.path) == part && !animation.is_linear_rotation(channel)
                })
                .for_each(|(index, channel)| self.drive(animation, binding, index, channel));
        }
        self.playing.push(playback, start, linear_rotations);
        Ok(id)
    }

    /// Adds a target for a channel that was checked.
    fn drive(
        &mut self,
        animation: &Animation,
        binding: &ClipBinding,
        index: u32,
        channel: &AnimationChannel,
    ) {
        let path = channel.path;
        let subject = match path {
            TargetPath::Material(_) => {
                let material = binding.materials[channel.slot.index()];
                let Some(position) = self.factors.materials.position(material) else { return };
                self.factors.bind(Owner::Material(position), path)
            }
            _ => {
                let Some(slot) = self.slot(binding.nodes[channel.slot.index()]) else { return };
                self.bind_node(slot, animation, channel)
            }
        };
        self.playing.driven.push(Driven::new(ChannelId::new(index), channel.sampler, subject, path));
    }

    /// Adds a driver of a node or of what it carries; returns what is driven by its position.
    fn bind_node(&mut self, slot: u32, animation: &Animation, channel: &AnimationChannel) -> u32 {
        let part = Part::of(channel.path);
        match part {
            Part::Weights if self.weights.set_of(slot).is_none() => {
                self.weights.put(slot, &vec![0.0; driven_weights(animation, channel)], false);
                self.structure_revision += 1;
            }
            Part::Translation | Part::Rotation | Part::Scale => self.unfold(slot),
            Part::Weights | Part::Factor => {}
        }
        let node = self.animated_of(slot);
        if part == Part::Factor {
            self.animated.bind_carried(node);
            return self.factors.bind(Owner::Node(node), channel.path);
        }
        self.animated.bind(node, part);
        node
    }

    /// Whether every channel of a clip finds its node, or why it cannot be played.
    pub(super) fn check_binding(
        &self,
        clip: &Animation,
        binding: &ClipBinding,
    ) -> Result<(), AnimationError> {
        let name = || clip.name().to_owned();
        let (nodes, slots) = (binding.nodes.len(), clip.slot_count());
        if nodes != slots {
            return Err(AnimationError::BindingLength { clip: name(), nodes, slots });
        }
        let (materials, slots) = (binding.materials.len(), clip.material_slot_count());
        if materials != slots {
            return Err(AnimationError::MaterialBindingLength { clip: name(), materials, slots });
        }
        for channel in clip.channels() {
            let (slot, path) = (channel.slot.index(), channel.path);
            if path.is_material() {
                let material = binding.materials[slot];
                if self.factors.materials.position(material).is_none() {
                    let material = material.index();
                    return Err(AnimationError::UnknownMaterial { clip: name(), slot, material });
                }
                continue;
            }
            let Some(node) = self.find(binding.nodes[slot]) else {
                return Err(AnimationError::UnknownNode { clip: name(), slot });
            };
            if path.is_transform() && matches!(node.local(), LocalTransform::Matrix(_)) {
                let node = node.name().to_owned();
                return Err(AnimationError::MatrixNode { clip: name(), slot, node, path });
            }
            let has = match path {
                TargetPath::Camera(property) => {
                    node.rest_camera().is_some_and(|camera| camera.number(property).is_some())
                }
                TargetPath::Light(property) => {
                    node.rest_light().is_some_and(|light| light.numbers(property).is_some())
                }
                _ => true,
            };
            if !has {
                let node = node.name().to_owned();
                return Err(AnimationError::MissingProperty { clip: name(), slot, node, path });
            }
        }
        Ok(())
    }

    /// Ends a playback; returns whether it was playing here.
    ///
    /// What still drives its nodes takes over at the next [`advance_animations`](super::advance_animations). What nothing
    /// drives any more keeps its pose, until something plays there, it is set, or [`reset_pose`](Self::reset_pose) puts
    /// everything to rest.
    pub fn stop(&mut self, playback: PlaybackId) -> bool {
        let position = self.playing.position(playback);
        position.into_iter().for_each(|position| self.stop_at(position));
        position.is_some()
    }

    /// Ends every playback that faded out. None was stopped since the last compaction.
    pub(super) fn stop_faded(&mut self) {
        // From the end, so that positions still to be looked at stay as they are.
        for position in (0..self.playing.playbacks.len()).rev() {
            if self.playing.playbacks[position].is_over() {
                self.stop_at(position);
            }
        }
    }

    fn stop_at(&mut self, position: usize) {
        let (animated, factors) = (&mut self.animated, &mut self.factors);
        self.playing.stop(position, |target| match target.part {
            Part::Factor => {
                if let Owner::Node(node) = factors.release(target.subject, target.masked) {
                    animated.release_carried(node);
                }
            }
            part => animated.release(target.subject, part, target.masked),
        });
    }

    /// A playback's state, or `None` if it is not playing here.
    #[must_use]
    pub fn playback(&self, playback: PlaybackId) -> Option<&Playback> {
        self.playing.position(playback).map(|position| &self.playing.playbacks[position])
    }

    /// Everything that plays, in order of starting.
    #[must_use]
    pub fn playbacks(&self) -> &[Playback] {
        self.playing.list()
    }

    /// Limits a playback to those of its nodes for which `includes` is true now; the others, with their cameras and lights,
    /// are as if it did not drive them, so that code or other clips can. A later mask replaces it; one that includes all
    /// nodes ends it. Materials have a mask of their own: [`set_material_mask`](Self::set_material_mask).
    ///
    /// What nothing drives any more keeps its pose, as after [`stop`](Self::stop).
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`].
    pub fn set_mask(
        &mut self,
        playback: PlaybackId,
        mut includes: impl FnMut(NodeRef<'_>) -> bool,
    ) -> Result<(), AnimationError> {
        self.mask(playback, |scene, target| {
            let node = match target.part {
                Part::Factor => match scene.factors.animated[target.subject as usize].owner {
                    Owner::Node(node) => node,
                    Owner::Material(_) => return None,
                },
                _ => target.subject,
            };
            let slot = scene.animated.nodes[node as usize].slot;
            Some(slot == NONE || includes(NodeRef::new(scene, slot)))
        })
    }

    /// Limits a playback to those of its materials for which `includes` is true now, as [`set_mask`](Self::set_mask) does
    /// for nodes.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`].
    pub fn set_material_mask(
        &mut self,
        playback: PlaybackId,
        mut includes: impl FnMut(MaterialId) -> bool,
    ) -> Result<(), AnimationError> {
        self.mask(playback, |scene, target| {
            let owner = match target.part {
                Part::Factor => scene.factors.animated[target.subject as usize].owner,
                _ => return None,
            };
            match owner {
                Owner::Material(position) => Some(includes(scene.factors.materials.material(position))),
                Owner::Node(_) => None,
            }
        })
    }

    /// Masks the targets for which `includes` is false, and unmasks those for which it is true.
    fn mask(
        &mut self,
        playback: PlaybackId,
        mut includes: impl FnMut(&Self, &Driven) -> Option<bool>,
    ) -> Result<(), AnimationError> {
        let position = self.playing.position(playback).ok_or(AnimationError::UnknownPlayback)?;
        for index in self.playing.spans[position].range() {
            let target = self.playing.driven[index];
            let Some(included) = includes(self, &target) else { continue };
            self.playing.driven[index].masked = !included;
            let subject = target.subject as usize;
            let drivers = match target.part {
                Part::Factor => &mut self.factors.animated[subject].drivers,
                part => &mut self.animated.nodes[subject].drivers[part as usize],
            };
            *drivers = *drivers + u32::from(target.masked) - u32::from(!included);
        }
        self.playing.rows_of = None;
        Ok(())
    }

    /// Finds out again where all targets lie and which are shared, if something changed since the last time.
    pub(super) fn refresh_driven(&mut self) {
        let revision = Some(self.structure_revision);
        if self.playing.rows_of == revision {
            return;
        }
        self.playing.settled = false;
        for span in &mut self.playing.spans {
            let mut shared = false;
            for target in &mut self.playing.driven[span.range()] {
                shared |= drivers(target, &self.animated, &self.factors) > 1;
                let node = match target.part {
                    Part::Factor => match self.factors.animated[target.subject as usize].owner {
                        Owner::Node(node) => node,
                        Owner::Material(position) => {
                            target.row = if target.masked { NONE } else { position };
                            continue;
                        }
                    },
                    _ => target.subject,
                };
                target.row = match (self.animated.nodes[node as usize].slot, target.part) {
                    (NONE, _) => NONE,
                    _ if target.masked => NONE,
                    (slot, Part::Weights) => self.weights.set_of(slot).unwrap_or(NONE),
                    (slot, Part::Factor) => slot,
                    (slot, _) => self.nodes[slot as usize].row,
                };
            }
            span.company = match span.end - span.start {
                _ if shared => Company::Shared,
                all if all == span.linear_rotations => Company::AloneWithLinearRotations,
                _ => Company::Alone,
            };
        }
        self.playing.rows_of = revision;
    }
}

/// How many weights a node gets that has none, so that all of the clip's channels find theirs.
fn driven_weights(animation: &Animation, channel: &AnimationChannel) -> usize {
    let of_slot = animation.channels().iter().filter(|other| other.slot == channel.slot);
    let needed = of_slot.map(|other| match other.path {
        TargetPath::Weights => animation.samplers()[other.sampler as usize].width(),
        TargetPath::Weight(weight) => usize::from(weight) + 1,
        _ => 0,
    });
    needed.max().unwrap_or(0)
}
