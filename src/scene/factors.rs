//! Numbers of cameras, lights and materials that clips drive or drove: who drives them, and what they are now.

use super::light::Light;
use super::material_overrides::MaterialOverrides;
use super::projection::Projection;
use super::rows::NONE;
use crate::animation::TargetPath;
use std::collections::HashMap;

/// Whose numbers they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// What an animated node carries, by its position among them.
    Node(u32),
    /// By the position among the materials that have factors here.
    Material(u32),
}

/// A property that a channel of something that plays is bound to.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnimatedFactor {
    pub owner: Owner,
    pub path: TargetPath,
    /// How many channels are bound.
    bound: u32,
    /// How many of them no mask leaves out.
    pub drivers: u32,
    /// Its place among this frame's mixes, or [`NONE`].
    pub mix: u32,
}

#[derive(Debug, Default)]
pub(super) struct Factors {
    pub animated: Vec<AnimatedFactor>,
    free: Vec<u32>,
    of: HashMap<(Owner, TargetPath), u32>,
    /// By slot: what clips made of cameras and lights, before it is brought into its ranges.
    cameras: HashMap<u32, Projection>,
    lights: HashMap<u32, Light>,
    pub materials: MaterialOverrides,
}

impl Factors {
    /// Adds a driver of a property; returns the property's position.
    pub fn bind(&mut self, owner: Owner, path: TargetPath) -> u32 {
        let index = *self.of.entry((owner, path)).or_insert_with(|| {
            let factor = AnimatedFactor { owner, path, bound: 0, drivers: 0, mix: NONE };
            match self.free.pop() {
                Some(index) => {
                    self.animated[index as usize] = factor;
                    index
                }
                None => {
                    self.animated.push(factor);
                    self.animated.len() as u32 - 1
                }
            }
        });
        let factor = &mut self.animated[index as usize];
        factor.bound += 1;
        factor.drivers += 1;
        index
    }

    /// Takes a driver away; returns whose property it was.
    pub fn release(&mut self, index: u32, masked: bool) -> Owner {
        let factor = &mut self.animated[index as usize];
        factor.bound -= 1;
        factor.drivers -= u32::from(!masked);
        let (owner, path) = (factor.owner, factor.path);
        if factor.bound == 0 {
            self.of.remove(&(owner, path));
            self.free.push(index);
        }
        owner
    }

    /// The camera at a slot as it is now, if it rests like this.
    pub fn camera(&self, slot: u32, rest: Projection) -> Projection {
        self.cameras.get(&slot).map_or(rest, |camera| camera.mended(rest))
    }

    /// The light at a slot as it is now, if it rests like this.
    pub fn light(&self, slot: u32, rest: Light) -> Light {
        self.lights.get(&slot).map_or(rest, Light::mended)
    }

    /// Lets a slot's camera rest.
    pub fn rest_camera(&mut self, slot: u32) {
        self.cameras.remove(&slot);
    }

    /// Lets a slot's light rest.
    pub fn rest_light(&mut self, slot: u32) {
        self.lights.remove(&slot);
    }

    /// Takes over what clips made of another scene's camera and light.
    pub fn copy_posed(&mut self, slot: u32, other: &Self, original: u32) {
        if let Some(&camera) = other.cameras.get(&original) {
            self.cameras.insert(slot, camera);
        }
        if let Some(&light) = other.lights.get(&original) {
            self.lights.insert(slot, light);
        }
    }

    /// Puts everything to rest.
    pub fn reset(&mut self) {
        self.cameras.clear();
        self.lights.clear();
        self.materials.reset();
    }

    /// What a camera's or light's numbers are before they are brought into their ranges; see
    /// [`PoseParts`](super::pose_parts::PoseParts), which knows how they rest.
    pub fn posed_camera(&self, slot: u32) -> Option<&Projection> {
        self.cameras.get(&slot)
    }

    pub fn posed_light(&self, slot: u32) -> Option<&Light> {
        self.lights.get(&slot)
    }

    pub fn pose_camera(&mut self, slot: u32, rest: Projection) -> &mut Projection {
        self.cameras.entry(slot).or_insert(rest)
    }

    pub fn pose_light(&mut self, slot: u32, rest: Light) -> &mut Light {
        self.lights.entry(slot).or_insert(rest)
    }
}
