//! The same calls give the same bits.

use crate::clips::*;
use fire_engine::animation::{
    Animation, BlendMode, CameraProperty, LightProperty, LoopMode, MaterialProperty, PlaybackOptions,
    RotationInterpolation, TargetPath, UvSlot,
};
use fire_engine::assets::{Material, MaterialId};
use fire_engine::math::Vec3;
use fire_engine::scene::{Light, LightKind, Projection};

/// Numbers that look random and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    /// Within [-1, 1), by integer arithmetic and one exact division.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / 8_388_608.0 - 1.0
    }

    fn clip(&mut self) -> Animation {
        let mut channels = Vec::new();
        for interpolation in [STEP, LINEAR, CUBIC] {
            let times: Vec<f32> = (0..9).map(|i| i as f32 * 0.3 + (self.next() + 1.0) * 0.1).collect();
            let count = times.len() * interpolation.elements();
            let slot = interpolation as u32;
            let mut vector = || {
                let values: Vec<_> = (0..count).map(|_| [self.next(), self.next(), self.next()]).collect();
                vectors(interpolation, &times, &values)
            };
            channels.push((slot, TargetPath::Translation, vector()));
            channels.push((slot, TargetPath::Scale, vector()));
            let turns: Vec<_> =
                (0..count).map(|_| [self.next(), self.next(), self.next(), self.next()]).collect();
            channels.push((slot, TargetPath::Rotation, rotations(interpolation, &times, &turns)));
            let morph: Vec<f32> = (0..count * 3).map(|_| self.next()).collect();
            channels.push((slot, TargetPath::Weights, weights(interpolation, &times, &morph)));
        }
        clip_of(channels)
    }
}

/// FNV-1a over the bits of a number.
fn eat(hash: &mut u64, value: f32) {
    for byte in value.to_bits().to_le_bytes() {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

/// The same over what the nodes show.
fn hash(hash: &mut u64, stage: &Stage) {
    let mut eat = |value: f32| eat(hash, value);
    for node in 0..stage.nodes.len() {
        let transform = stage.transform(node);
        transform.translation.to_array().into_iter().for_each(&mut eat);
        transform.rotation.to_array().into_iter().for_each(&mut eat);
        transform.scale.to_array().into_iter().for_each(&mut eat);
        stage.weights(node).iter().copied().for_each(&mut eat);
    }
}

/// 10,000 poses of three nodes by every path and mode: alone, mixed, added, slerp and nlerp, every loop mode.
///
/// The number was taken on x86-64; it must be the same on every CPU, of which aarch64 is untested.
#[test]
fn ten_thousand_poses_have_these_bits() {
    let mut numbers = Numbers(2026);
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for case in 0..10u32 {
        let mut stage = Stage::new(3);
        let clips: Vec<_> = (0..3).map(|_| numbers.clip()).collect();
        let modes = [LoopMode::Forever, LoopMode::PingPong, LoopMode::Times(40), LoopMode::Once];
        for (clip, index) in clips.into_iter().zip(0u32..).take(1 + case as usize % 3) {
            let options = PlaybackOptions {
                speed: [1.0, -0.7, 1.3][index as usize],
                weight: if case < 3 { 1.0 } else { [0.6, 0.3, 0.5][index as usize] },
                loop_mode: modes[(case + index) as usize % 4],
                blend: if index == 2 { BlendMode::Additive { reference: 0.1 } } else { BlendMode::Mix },
                rotation_interpolation: match case % 2 {
                    0 => RotationInterpolation::Slerp,
                    _ => RotationInterpolation::Nlerp,
                },
                ..PlaybackOptions::default()
            };
            stage.play_on(clip, &[0, 1, 2], options);
        }
        for _ in 0..1000 {
            stage.advance(1.0 / 60.0);
            hash(&mut digest, &stage);
        }
    }
    assert_eq!(digest, 0x11cc_18f6_6f2c_7830, "{digest:#x}");
}

/// 1,000 poses of a camera, a light and a material by every mode, mixed and added; taken as the number above.
#[test]
fn a_thousand_poses_of_cameras_lights_and_materials_have_these_bits() {
    let paths = [
        TargetPath::Camera(CameraProperty::FovY),
        TargetPath::Light(LightProperty::Color),
        TargetPath::Material(MaterialProperty::BaseColorFactor),
        TargetPath::Material(MaterialProperty::UvOffset(UvSlot::Normal)),
    ];
    let (mut random, mut digest) = (Numbers(2027), 0xcbf2_9ce4_8422_2325);
    let mut stage = Stage::new(1);
    let mut node = stage.scene.find_mut(stage.nodes[0]).unwrap();
    node.set_camera(Some(Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None }));
    node.set_light(Some(Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 1.0 })).unwrap();
    let material = MaterialId::new(0);
    stage.scene.set_material_factors(material, Material::default().factors()).unwrap();
    for (interpolation, weight) in [(STEP, 0.3), (LINEAR, 0.6), (CUBIC, 0.5)] {
        let times: Vec<f32> = (0..9).map(|i| i as f32 * 0.3 + (random.next() + 1.0) * 0.1).collect();
        let channels = paths.map(|path| {
            let count = times.len() * interpolation.elements() * path.width().unwrap();
            let values: Vec<f32> = (0..count).map(|_| 0.5 * random.next() + 0.75).collect();
            (0, path, numbers(interpolation, &times, &values))
        });
        let mut binding = stage.bind(clip_of(channels.to_vec()), &[0]);
        binding.materials = vec![material];
        let blend = match interpolation {
            CUBIC => BlendMode::Additive { reference: 0.1 },
            _ => BlendMode::Mix,
        };
        let options = PlaybackOptions { weight, blend, ..PlaybackOptions::default() };
        stage.scene.play(&stage.clips[binding.animation.index()], &binding, options).unwrap();
    }
    for _ in 0..1000 {
        stage.advance(1.0 / 60.0);
        let node = stage.scene.find(stage.nodes[0]).unwrap();
        let Some(Projection::Perspective { fov_y, .. }) = node.camera() else { panic!() };
        let factors = stage.scene.material_factors(material).unwrap();
        let offset = factors.uv_transforms[2].offset;
        let color = node.light().unwrap().color.to_array();
        let seen =
            [fov_y, offset.x, offset.y].into_iter().chain(color).chain(factors.base_color_factor.to_array());
        seen.for_each(|number| eat(&mut digest, number));
    }
    assert_eq!(digest, 0xaf05_f46e_b5b0_0488, "{digest:#x}");
}

/// An hour of 60 Hz steps against a seek, at a time that is no multiple of the clip.
#[test]
fn an_hour_of_60_hz_steps_and_a_seek_agree_to_a_microsecond() {
    for (mode, speed) in [
        (LoopMode::Forever, 1.0),
        (LoopMode::Forever, -1.0),
        (LoopMode::Forever, 0.37),
        (LoopMode::PingPong, 1.0),
    ] {
        let seconds = 1.7f32;
        let duration = f64::from(seconds);
        let options = PlaybackOptions { loop_mode: mode, speed, ..PlaybackOptions::default() };
        let mut stepped = Stage::new(1);
        let playback = stepped.play(ramp(seconds), options);
        for _ in 0..60 * 3600 {
            stepped.advance(1.0 / 60.0);
        }
        let way = 3600.0 * speed;
        let target = match mode {
            LoopMode::PingPong => {
                let phase = way.rem_euclid(2.0 * duration);
                phase.min(2.0 * duration - phase)
            }
            _ => way.rem_euclid(duration),
        };
        assert!(target > 0.01 && target < duration - 0.01, "{target} is no multiple of the clip");
        let mut sought = Stage::new(1);
        let other = sought.play(ramp(seconds), options);
        sought.scene.seek(other, target).unwrap();
        sought.advance(0.0);
        let apart = (stepped.time(playback) - sought.time(other)).abs();
        // On the circle that time runs round.
        assert!(apart.min(duration - apart) < 1e-6, "{mode:?} at {speed}: {apart} s");
        assert!((stepped.x(0) - sought.x(0)).abs() < 1e-6);
    }
}
