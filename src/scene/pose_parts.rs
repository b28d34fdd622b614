//! Everything that clips write to, borrowed at once.

use super::animated::AnimatedNodes;
use super::components::Components;
use super::driven::{Driven, Part};
use super::factors::Factors;
use super::light::Light;
use super::projection::Projection;
use super::weights::MorphWeights;
use crate::animation::TargetPath;
use crate::math::Transform;

pub(super) struct PoseParts<'a> {
    pub transforms: &'a mut [Transform],
    pub weights: &'a mut MorphWeights,
    pub animated: &'a mut AnimatedNodes,
    pub factors: &'a mut Factors,
    /// How cameras and lights rest.
    pub cameras: &'a Components<Projection>,
    pub lights: &'a Components<Light>,
}

impl PoseParts<'_> {
    /// How many drive what a target does, itself included.
    pub fn drivers(&self, target: &Driven) -> u32 {
        drivers(target, self.animated, self.factors)
    }

    /// How a property of what a driven row means rests; `None` if it has none. Only the first numbers count.
    pub fn rest_factor(&self, path: TargetPath, row: u32) -> Option<[f32; 4]> {
        match path {
            TargetPath::Camera(property) => one(self.cameras.get(row)?.value.number(property)),
            TargetPath::Light(property) => self.lights.get(row)?.value.numbers(property),
            TargetPath::Material(property) => Some(self.factors.materials.rest_numbers(row, property)),
            _ => None,
        }
    }

    /// What the property is now.
    pub fn factor(&self, path: TargetPath, row: u32) -> Option<[f32; 4]> {
        let now = match path {
            TargetPath::Camera(property) => {
                self.factors.posed_camera(row).map(|camera| one(camera.number(property)))
            }
            TargetPath::Light(property) => self.factors.posed_light(row).map(|light| light.numbers(property)),
            TargetPath::Material(property) => Some(Some(self.factors.materials.numbers(row, property))),
            _ => None,
        };
        now.unwrap_or_else(|| self.rest_factor(path, row))
    }

    /// Sets the property, if there is one.
    pub fn put_factor(&mut self, path: TargetPath, row: u32, numbers: [f32; 4]) {
        match path {
            TargetPath::Camera(property) => {
                if let Some(rest) = self.cameras.get(row) {
                    self.factors.pose_camera(row, rest.value).set_number(property, numbers[0]);
                }
            }
            TargetPath::Light(property) => {
                if let Some(rest) = self.lights.get(row) {
                    self.factors.pose_light(row, rest.value).set_numbers(property, numbers);
                }
            }
            TargetPath::Material(property) => self.factors.materials.put(row, property, numbers),
            _ => {}
        }
    }
}

fn one(number: Option<f32>) -> Option<[f32; 4]> {
    number.map(|number| [number, 0.0, 0.0, 0.0])
}

pub(super) fn drivers(target: &Driven, animated: &AnimatedNodes, factors: &Factors) -> u32 {
    let subject = target.subject as usize;
    match target.part {
        Part::Factor => factors.animated[subject].drivers,
        part => animated.nodes[subject].drivers[part as usize],
    }
}
