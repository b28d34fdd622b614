//! Two clips on one figure, and a soft change from one to the other: on the space key, and every two seconds by itself.
//!
//! ```text
//! cargo run --release --example crossfade
//! cargo run --release --example crossfade -- --headless --frames 75 --output between.png
//! ```

mod support;

use clap::Parser;
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, PlaybackId, PlaybackOptions, SlotId,
    TargetPath,
};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{Camera, ClipBinding, Content, Projection, Scene};
use support::{Example, Failure};

/// How long a change takes, and how long it is from one to the next, in seconds.
const FADE: f64 = 1.0;
const EVERY: f64 = 2.0;

/// Links of the chain.
const LINKS: u32 = 6;

struct Chain {
    content: Content,
    /// What plays, or fades in.
    current: PlaybackId,
    /// Since it began.
    seconds: f64,
}

/// A clip in which every link turns to `angles`, one a second, about `axis`.
fn clip(name: &str, axis: Vec3, angles: &[f32]) -> Result<Animation, Failure> {
    let times = (0u8..).take(angles.len()).map(f32::from).collect();
    let turn = angles.iter().map(|&angle| Quat::from_axis_angle(axis, angle)).collect();
    let channel = |slot| AnimationChannel { slot: SlotId::new(slot), path: TargetPath::Rotation, sampler: 0 };
    let sampler = AnimationSampler::linear_rotation(times, turn);
    Ok(Animation::new(name, vec![sampler], (0..LINKS).map(channel).collect())?)
}

impl Chain {
    fn new() -> Result<Self, Failure> {
        let (assets, cube) = support::letter_cube()?;
        let mut scene = Scene::new();
        let mut links = Vec::new();
        for number in 0..LINKS {
            // Each link turns about its lower end, which is the upper end of the one below.
            let link = match links.last() {
                Some(&below) => scene.add_child(below, "link")?,
                None => scene.add_root("link")?,
            };
            let joint = Vec3::Y * if number == 0 { -3.0 } else { 1.0 };
            scene.find_mut(link).ok_or("just added")?.set_transform(Transform::from_translation(joint))?;
            let shape = scene.add_child(link, "cube")?;
            let mut edit = scene.find_mut(shape).ok_or("just added")?;
            edit.set_transform(Transform {
                translation: Vec3::Y * 0.5,
                scale: Vec3::splat(0.4),
                ..Transform::IDENTITY
            })?;
            edit.set_render_object(Some(cube));
            links.push(link);
        }
        let animations =
            vec![clip("sway", Vec3::Z, &[-0.1, 0.1, -0.1])?, clip("curl", Vec3::Z, &[-0.55, -0.4, -0.55])?];
        let bindings: Vec<_> =
            (0..2).map(|index| ClipBinding::new(AnimationId::new(index), links.clone())).collect();
        let current = scene.play(&animations[0], &bindings[0], PlaybackOptions::default())?;
        let content = Content { assets, scene, animations, bindings, ..Content::default() };
        Ok(Self { content, current, seconds: 0.0 })
    }

    /// Starts the other clip and fades to it. The old one stops by itself when it has faded out.
    fn change(&mut self) -> Result<(), Failure> {
        let Content { scene, animations, bindings, .. } = &mut self.content;
        let playing = scene.playback(self.current).ok_or("something always plays")?.animation();
        let other = 1 - playing.index();
        let next = scene.play(&animations[other], &bindings[other], PlaybackOptions::default())?;
        scene.cross_fade(self.current, next, FADE)?;
        println!("fading to \"{}\"", animations[other].name());
        (self.current, self.seconds) = (next, 0.0);
        Ok(())
    }
}

impl Example for Chain {
    const NAME: &str = "crossfade";

    fn content(&mut self) -> &mut Content {
        &mut self.content
    }

    fn camera(&self) -> Camera {
        let projection = Projection::Perspective { fov_y: 0.8, aspect: None, near: 0.1, far: Some(100.0) };
        Camera::look_at(Vec3::new(1.0, 0.5, 8.5), Vec3::new(1.0, -0.3, 0.0), Vec3::Y, projection)
            .expect("the eye is in front")
    }

    fn step(&mut self, seconds: f64) -> Result<(), Failure> {
        self.seconds += seconds;
        if self.seconds >= EVERY {
            self.change()?;
        }
        Ok(self.content.advance(seconds)?)
    }

    #[cfg(feature = "winit")]
    fn event(&mut self, event: &fire_engine::winit::winit::event::WindowEvent) -> Result<(), Failure> {
        use fire_engine::winit::winit::event::{ElementState, WindowEvent};
        use fire_engine::winit::winit::keyboard::{Key, NamedKey};
        match event {
            WindowEvent::KeyboardInput { event, .. }
                if event.logical_key == Key::Named(NamedKey::Space)
                    && event.state == ElementState::Pressed
                    && !event.repeat =>
            {
                self.change()
            }
            _ => Ok(()),
        }
    }
}

fn main() -> Result<(), Failure> {
    support::show(&support::Options::parse(), Chain::new()?)
}
