//! The numbers of materials that a scene has for itself.

use crate::animation::{MaterialProperty, UvSlot};
use crate::assets::{Color4, MaterialFactors, MaterialId, SlotKind};
use crate::math::{Vec2, Vec3};
use std::collections::HashMap;

/// One material's numbers in a scene.
#[derive(Debug)]
pub(super) struct MaterialOverride {
    pub material: MaterialId,
    pub rest: MaterialFactors,
    /// What clips made of them.
    pose: Option<MaterialFactors>,
    /// The list's revision when it became what it is now.
    changed: u64,
}

impl MaterialOverride {
    pub fn now(&self) -> &MaterialFactors {
        self.pose.as_ref().unwrap_or(&self.rest)
    }
}

/// In the order in which they were first given, which is their position.
#[derive(Debug, Default)]
pub(super) struct MaterialOverrides {
    pub list: Vec<MaterialOverride>,
    of: HashMap<MaterialId, u32>,
    /// Counts changes of what materials are now.
    pub revision: u64,
}

impl MaterialOverrides {
    pub fn position(&self, material: MaterialId) -> Option<u32> {
        self.of.get(&material).copied()
    }

    /// Which material stands at a position that was handed out.
    pub fn material(&self, position: u32) -> MaterialId {
        self.list[position as usize].material
    }

    pub fn get(&self, material: MaterialId) -> Option<&MaterialOverride> {
        self.position(material).map(|position| &self.list[position as usize])
    }

    pub fn set(&mut self, material: MaterialId, rest: MaterialFactors, pose: Option<MaterialFactors>) {
        self.revision += 1;
        let entry = MaterialOverride { material, rest, pose, changed: self.revision };
        match self.position(material) {
            Some(position) => self.list[position as usize] = entry,
            None => {
                self.of.insert(material, self.list.len() as u32);
                self.list.push(entry);
            }
        }
    }

    /// Takes over those of another scene that are not here.
    pub fn merge(&mut self, other: &Self) {
        for MaterialOverride { material, rest, pose, .. } in &other.list {
            if self.position(*material).is_none() {
                self.set(*material, *rest, *pose);
            }
        }
    }

    pub fn reset(&mut self) {
        self.revision += 1;
        for entry in self.list.iter_mut().filter(|entry| entry.pose.is_some()) {
            (entry.pose, entry.changed) = (None, self.revision);
        }
    }

    /// Those that are other than they were at that revision, which 0 is before everything.
    pub fn since(&self, revision: u64) -> impl Iterator<Item = &MaterialOverride> {
        // Nothing is looked at while nothing changes.
        let list = if self.revision == revision { &[][..] } else { &self.list };
        list.iter().filter(move |entry| entry.changed > revision)
    }

    pub fn rest_numbers(&self, position: u32, property: MaterialProperty) -> [f32; 4] {
        self.list.get(position as usize).map_or([0.0; 4], |entry| numbers(&entry.rest, property))
    }

    pub fn numbers(&self, position: u32, property: MaterialProperty) -> [f32; 4] {
        self.list.get(position as usize).map_or([0.0; 4], |entry| numbers(entry.now(), property))
    }

    /// Sets a property, each number held in its range.
    pub fn put(&mut self, position: u32, property: MaterialProperty, values: [f32; 4]) {
        let Some(entry) = self.list.get_mut(position as usize) else { return };
        let (least, greatest) = property.range();
        // A comparison each way, whose result no platform can differ in.
        let held = values.map(|value| {
            if value < least {
                least
            } else if value > greatest {
                greatest
            } else {
                value
            }
        });
        let before = numbers(entry.now(), property);
        set_numbers(entry.pose.get_or_insert(entry.rest), property, held);
        if numbers(entry.now(), property) != before {
            self.revision += 1;
            entry.changed = self.revision;
        }
    }
}

const fn slot_kind(slot: UvSlot) -> SlotKind {
    match slot {
        UvSlot::BaseColor => SlotKind::BaseColor,
        UvSlot::MetallicRoughness => SlotKind::MetallicRoughness,
        UvSlot::Normal => SlotKind::Normal,
        UvSlot::Occlusion => SlotKind::Occlusion,
        UvSlot::Emissive => SlotKind::Emissive,
    }
}

fn numbers(factors: &MaterialFactors, property: MaterialProperty) -> [f32; 4] {
    let one = |number| [number, 0.0, 0.0, 0.0];
    let two = |pair: Vec2| [pair.x, pair.y, 0.0, 0.0];
    let uv = |slot| factors.uv_transform(slot_kind(slot));
    match property {
        MaterialProperty::BaseColorFactor => factors.base_color_factor.to_array(),
        MaterialProperty::MetallicFactor => one(factors.metallic_factor),
        MaterialProperty::RoughnessFactor => one(factors.roughness_factor),
        MaterialProperty::NormalScale => one(factors.normal_scale),
        MaterialProperty::OcclusionStrength => one(factors.occlusion_strength),
        MaterialProperty::EmissiveFactor => factors.emissive_factor.extend(0.0).to_array(),
        MaterialProperty::EmissiveStrength => one(factors.emissive_strength),
        MaterialProperty::AlphaCutoff => one(factors.alpha_cutoff),
        MaterialProperty::UvOffset(slot) => two(uv(slot).offset),
        MaterialProperty::UvRotation(slot) => one(uv(slot).rotation),
        MaterialProperty::UvScale(slot) => two(uv(slot).scale),
    }
}

fn set_numbers(factors: &mut MaterialFactors, property: MaterialProperty, [x, y, z, w]: [f32; 4]) {
    match property {
        MaterialProperty::BaseColorFactor => factors.base_color_factor = Color4::new(x, y, z, w),
        MaterialProperty::MetallicFactor => factors.metallic_factor = x,
        MaterialProperty::RoughnessFactor => factors.roughness_factor = x,
        MaterialProperty::NormalScale => factors.normal_scale = x,
        MaterialProperty::OcclusionStrength => factors.occlusion_strength = x,
        MaterialProperty::EmissiveFactor => factors.emissive_factor = Vec3::new(x, y, z),
        MaterialProperty::EmissiveStrength => factors.emissive_strength = x,
        MaterialProperty::AlphaCutoff => factors.alpha_cutoff = x,
        MaterialProperty::UvOffset(slot) => {
            factors.uv_transforms[slot_kind(slot) as usize].offset = Vec2::new(x, y);
        }
        MaterialProperty::UvRotation(slot) => factors.uv_transforms[slot_kind(slot) as usize].rotation = x,
        MaterialProperty::UvScale(slot) => {
            factors.uv_transforms[slot_kind(slot) as usize].scale = Vec2::new(x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Material;

    const UV_SLOTS: [UvSlot; 5] =
        [UvSlot::BaseColor, UvSlot::MetallicRoughness, UvSlot::Normal, UvSlot::Occlusion, UvSlot::Emissive];

    fn properties() -> Vec<MaterialProperty> {
        let plain = [
            MaterialProperty::BaseColorFactor,
            MaterialProperty::MetallicFactor,
            MaterialProperty::RoughnessFactor,
            MaterialProperty::NormalScale,
            MaterialProperty::OcclusionStrength,
            MaterialProperty::EmissiveFactor,
            MaterialProperty::EmissiveStrength,
            MaterialProperty::AlphaCutoff,
        ];
        let uv = UV_SLOTS.into_iter().flat_map(|slot| {
            [
                MaterialProperty::UvOffset(slot),
                MaterialProperty::UvRotation(slot),
                MaterialProperty::UvScale(slot),
            ]
        });
        plain.into_iter().chain(uv).collect()
    }

    #[test]
    fn each_property_has_numbers_of_its_own_and_is_read_as_it_was_set() {
        let rest = Material::default().factors();
        for property in properties() {
            let mut factors = rest;
            set_numbers(&mut factors, property, [0.125, 0.25, 0.375, 0.5]);
            for other in properties() {
                let changed = numbers(&factors, other) != numbers(&rest, other);
                assert_eq!(changed, other == property, "{property}: {other}");
            }
            let width = crate::animation::TargetPath::Material(property).width().unwrap();
            assert_eq!(
                numbers(&factors, property)[..width],
                [0.125, 0.25, 0.375, 0.5][..width],
                "{property}"
            );
            assert!(numbers(&factors, property)[width..].iter().all(|&number| number == 0.0), "{property}");
        }
    }

    #[test]
    fn slots_have_the_same_names_in_both_rooms() {
        for (slot, kind) in UV_SLOTS.into_iter().zip(SlotKind::ALL) {
            assert_eq!((slot_kind(slot), slot.to_string()), (kind, kind.name().to_owned()));
        }
    }

    #[test]
    fn what_changed_since_a_revision_is_known() {
        let mut overrides = MaterialOverrides::default();
        let rest = Material::default().factors();
        let [a, b] = [3, 5].map(MaterialId::new);
        let since = |overrides: &MaterialOverrides, revision| {
            overrides.since(revision).map(|entry| entry.material).collect::<Vec<_>>()
        };
        overrides.set(a, rest, None);
        let first = overrides.revision;
        overrides.set(b, rest, None);
        assert_eq!((since(&overrides, 0), since(&overrides, first)), (vec![a, b], vec![b]));
        let still = overrides.revision;
        // The number that it has already is no change, whether it rests or is posed.
        for _ in 0..2 {
            overrides.put(0, MaterialProperty::MetallicFactor, [rest.metallic_factor, 7.0, 7.0, 7.0]);
        }
        assert_eq!((overrides.revision, since(&overrides, still)), (still, vec![]));
        overrides.put(0, MaterialProperty::MetallicFactor, [0.25, 0.0, 0.0, 0.0]);
        assert_eq!(since(&overrides, still), [a]);
        let posed = overrides.revision;
        overrides.reset();
        assert_eq!((since(&overrides, posed), since(&overrides, overrides.revision)), (vec![a], vec![]));
        // The same rest, given again, may have been posed before.
        let rested = overrides.revision;
        overrides.set(b, rest, None);
        assert_eq!(since(&overrides, rested), [b]);
        let mut merged = MaterialOverrides::default();
        merged.merge(&overrides);
        assert_eq!(since(&merged, 0), [a, b]);
    }

    #[test]
    fn numbers_are_held_in_their_ranges() {
        let mut overrides = MaterialOverrides::default();
        overrides.set(MaterialId::new(7), Material::default().factors(), None);
        overrides.put(0, MaterialProperty::BaseColorFactor, [-1.0, 2.0, 0.5, f32::MAX]);
        overrides.put(0, MaterialProperty::EmissiveFactor, [-1.0, 2.0, f32::MIN, 0.0]);
        overrides.put(0, MaterialProperty::NormalScale, [-3.0, 0.0, 0.0, 0.0]);
        // A position that does not exist is nobody's.
        overrides.put(9, MaterialProperty::NormalScale, [1.0; 4]);
        let now = overrides.get(MaterialId::new(7)).unwrap().now();
        assert_eq!(now.base_color_factor.to_array(), [0.0, 1.0, 0.5, 1.0]);
        assert_eq!((now.emissive_factor, now.normal_scale), (Vec3::new(0.0, 2.0, 0.0), -3.0));
    }
}
