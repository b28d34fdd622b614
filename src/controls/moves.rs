//! What input does to a camera.

use super::orbit::{FARTHEST, OrbitCamera, steep};
use crate::math::{Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Wheel steps that halve the distance.
const STEPS_PER_HALF: f64 = 5.0;

/// How near to the target and how far from it zooming goes, in radii of the subject.
const ZOOM: (f32, f32) = (1e-3, 1e3);

/// Distances below this part of the target's coordinates are lost in their rounding.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// What goes by each second at full speed, in heights of the picture at the target's depth.
const HEIGHTS_PER_SECOND: f32 = 0.25;

impl OrbitCamera {
    /// Goes around the target, as if the pointer turned the model: a drag to the right turns its front to the right, one down
    /// its top toward the eye. A view's whole height is half a turn; up and down it ends short of the poles.
    ///
    /// `pixels` to the right and down, in a view that is `height` pixels high.
    pub fn orbit(&mut self, pixels: Vec2, height: f32) {
        self.turn(pixels, height, PI);
    }

    /// Moves across the line of sight: what lies at the target's depth follows the pointer.
    ///
    /// `pixels` to the right and down, in a view that is `height` pixels high.
    pub fn pan(&mut self, pixels: Vec2, height: f32) {
        if has_height(height) {
            self.shift(pixels * (self.half_height() * 2.0 / height));
        }
    }

    /// Goes nearer to the target by so many steps of a wheel, or parts of them; negative ones go away. Five steps halve the
    /// distance, so as many back lead to where it was.
    ///
    /// It ends at a thousandth of the radius of what was framed, and at the thousandfold; a camera that is beyond stays where
    /// it is. Far from the origin it ends before the coordinates' rounding shows.
    pub fn zoom(&mut self, steps: f32) {
        if steps.is_finite() {
            self.distance = self.zoomed(steps);
        }
    }

    /// As [`zoom`](Self::zoom), toward the pointer: what lies under it at the target's depth stays there.
    ///
    /// `pointer` from -1 to 1, to the right and up; `aspect` is the view's width over its height.
    pub fn zoom_at(&mut self, steps: f32, pointer: Vec2, aspect: f32) {
        if !(steps.is_finite() && pointer.is_finite() && aspect.is_finite() && aspect > 0.0) {
            return;
        }
        self.set_aspect(aspect);
        let before = self.half_height();
        self.distance = self.zoomed(steps);
        let less = before - self.half_height();
        self.shift(Vec2::new(-pointer.x * aspect, pointer.y) * less);
    }

    /// Turns about the eye: a motion to the right looks to the right, one down looks down. A view's whole height is a quarter of a
    /// turn.
    ///
    /// `pixels` to the right and down, in a view that is `height` pixels high.
    pub fn look(&mut self, pixels: Vec2, height: f32) {
        let eye = self.eye();
        if self.turn(pixels, height, FRAC_PI_2) {
            self.aim(eye - self.axes().back * self.distance);
        }
    }

    /// Moves the camera and its target for some seconds along the picture's directions: `motion` to the right, up and forward,
    /// each from -1 to 1, and more for who is in a hurry. The rate of frames makes no difference.
    pub fn fly(&mut self, motion: Vec3, seconds: f32) {
        let axes = self.axes();
        let direction = axes.right * motion.x + axes.up * motion.y - axes.back * motion.z;
        self.aim(self.target + direction * (self.speed() * seconds));
    }

    /// How far [`fly`](Self::fly) goes in a second along one direction: a quarter of the height that is seen at the target's
    /// depth, so that it is slow where the camera has been zoomed in.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.half_height() * 2.0 * HEIGHTS_PER_SECOND
    }

    /// Whether that is a turn.
    fn turn(&mut self, pixels: Vec2, height: f32, radians: f64) -> bool {
        if !(pixels.is_finite() && has_height(height)) {
            return false;
        }
        let turned = |by: f32| f64::from(by) / f64::from(height) * radians;
        let yaw = f64::from(self.yaw) + f64::from(self.yaw_rest) - turned(pixels.x);
        let yaw = yaw - (yaw / TAU).round() * TAU;
        let pitch = f64::from(steep(self.pitch)) + turned(pixels.y);
        let is_turn = yaw.is_finite() && pitch.is_finite();
        if is_turn {
            self.yaw = yaw as f32;
            self.yaw_rest = (yaw - f64::from(self.yaw)) as f32;
            self.pitch = steep(pitch as f32);
        }
        is_turn
    }

    /// Moves what is seen by so much to the right and down.
    fn shift(&mut self, by: Vec2) {
        let axes = self.axes();
        self.aim(self.target - axes.right * by.x + axes.up * by.y);
    }

    /// Looks at another target, if that is one.
    fn aim(&mut self, target: Vec3) {
        if target.is_finite() {
            self.target = target;
        }
    }

    fn zoomed(&self, steps: f32) -> f32 {
        let radius = self.subject.radius;
        let least = (radius * ZOOM.0).max(self.target.abs().max_element() * ROUNDING);
        let most = (radius * ZOOM.1).min(FARTHEST);
        let zoomed = f64::from(self.distance) * (-f64::from(steps) / STEPS_PER_HALF).exp2();
        // Whoever is beyond a limit is not thrown back to it.
        match steps > 0.0 {
            true => (zoomed as f32).max(least.min(self.distance)),
            false => (zoomed as f32).min(most.max(self.distance)),
        }
    }
}

fn has_height(height: f32) -> bool {
    height.is_finite() && height > 0.0
}
