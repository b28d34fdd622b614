//! Numbers, transforms and clips that look random and are the same every time.

use crate::clips::*;
use fire_engine::animation::{Animation, TargetPath};
use fire_engine::math::{Quat, Transform, Vec3};

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    /// Within [-1, 1].
    pub fn part(&mut self) -> f32 {
        self.below(2001) as f32 / 1000.0 - 1.0
    }

    pub fn vector(&mut self) -> [f32; 3] {
        [self.part(), self.part(), self.part()]
    }

    pub fn turn(&mut self) -> [f32; 4] {
        [self.part(), self.part(), self.part(), self.part() + 1.5]
    }

    pub fn transform(&mut self) -> Transform {
        Transform {
            translation: Vec3::from_array(self.vector()),
            rotation: Quat::from_array(self.turn()).normalize(),
            scale: Vec3::from_array(self.vector()),
        }
    }

    /// Two slots; each drives some of the paths.
    pub fn clip(&mut self) -> Animation {
        let times = [0.0, 0.4, 1.1];
        let mut channels = Vec::new();
        for slot in 0..2 {
            if self.below(3) > 0 {
                let keys = [self.vector(), self.vector(), self.vector()];
                channels.push((slot, TargetPath::Translation, vectors(LINEAR, &times, &keys)));
            }
            if self.below(3) > 0 {
                let mode = if self.below(2) == 0 { LINEAR } else { STEP };
                let keys = [self.turn(), self.turn(), self.turn()];
                channels.push((slot, TargetPath::Rotation, rotations(mode, &times, &keys)));
            }
            if self.below(3) > 0 {
                let keys = [self.vector(), self.vector(), self.vector()];
                channels.push((slot, TargetPath::Scale, vectors(STEP, &times, &keys)));
            }
            if self.below(2) > 0 {
                let each = 1 + self.below(3);
                let keys: Vec<f32> = (0..3 * each).map(|_| self.part()).collect();
                channels.push((slot, TargetPath::Weights, weights(LINEAR, &times, &keys)));
            }
        }
        // So that every clip has two slots.
        if !channels.iter().any(|channel| (channel.0, channel.1) == (1, TargetPath::Scale)) {
            channels.push((1, TargetPath::Scale, vectors(LINEAR, &[0.5], &[self.vector()])));
        }
        clip_of(channels)
    }
}
