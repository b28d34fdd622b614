//! The mouse and touchpad: what moves the camera.

use fire_engine::controls::OrbitCamera;
use fire_engine::math::Vec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta};

/// So many pixels of a touchpad's scrolling are a step of a wheel.
const PIXELS_A_STEP: f32 = 40.0;

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drag {
    Orbit,
    Pan,
    Look,
}

/// Where the pointer is, and what it drags.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pointer {
    at: Option<Vec2>,
    drag: Option<(MouseButton, Drag)>,
}

impl Pointer {
    /// Whether something is being dragged.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// A button went down or up. Of several the first one counts, until it goes up.
    pub fn button(&mut self, button: MouseButton, state: ElementState, shifted: bool) {
        match (state, self.drag) {
            (ElementState::Pressed, None) => {
                let drag = match button {
                    MouseButton::Left if shifted => Drag::Pan,
                    MouseButton::Left => Drag::Orbit,
                    MouseButton::Middle => Drag::Pan,
                    MouseButton::Right => Drag::Look,
                    _ => return,
                };
                self.drag = Some((button, drag));
            }
            (ElementState::Released, Some((held, _))) if held == button => self.drag = None,
            _ => {}
        }
    }

    /// Nothing is held any more, such as when the window lost the focus.
    pub fn release(&mut self) {
        self.drag = None;
    }

    /// The pointer moved to this place in pixels, in a window of that size. Returns whether the camera moved.
    pub fn moved(&mut self, to: Vec2, size: Vec2, camera: &mut OrbitCamera) -> bool {
        let Some(from) = self.at.replace(to) else { return false };
        let (pixels, height) = (to - from, size.y);
        if pixels == Vec2::ZERO {
            return false;
        }
        match self.drag {
            None => return false,
            Some((_, Drag::Orbit)) => camera.orbit(pixels, height),
            Some((_, Drag::Pan)) => camera.pan(pixels, height),
            Some((_, Drag::Look)) => camera.look(pixels, height),
        }
        true
    }

    /// A wheel turned, or two fingers moved, over a picture of that size whose target is drawn so far to the right of its
    /// middle and above it, of 1 at its edges.
    pub fn scrolled(&self, delta: MouseScrollDelta, size: Vec2, off_center: Vec2, camera: &mut OrbitCamera) {
        self.zoom(steps(delta), size, off_center, camera);
    }

    /// Two fingers went apart by this share of their distance; the rest as [`scrolled`](Self::scrolled).
    pub fn pinched(&self, share: f64, size: Vec2, off_center: Vec2, camera: &mut OrbitCamera) {
        // A wheel step is about a tenth.
        self.zoom(share as f32 * 10.0, size, off_center, camera);
    }

    fn zoom(&self, steps: f32, size: Vec2, off_center: Vec2, camera: &mut OrbitCamera) {
        match self.at {
            Some(at) if size.min_element() > 0.0 => {
                let place = Vec2::new(at.x / size.x * 2.0 - 1.0, 1.0 - at.y / size.y * 2.0);
                camera.zoom_at(steps, place - off_center, size.x / size.y);
            }
            _ => camera.zoom(steps),
        }
    }
}

/// As how many steps of a wheel scrolling counts; none if it goes to the side.
pub fn steps(delta: MouseScrollDelta) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines,
        MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / PIXELS_A_STEP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(800.0, 600.0);
    const PRESSED: ElementState = ElementState::Pressed;
    const RELEASED: ElementState = ElementState::Released;

    fn dragged(button: MouseButton, shifted: bool) -> (OrbitCamera, OrbitCamera) {
        let before = OrbitCamera::new(None, 1.0);
        let (mut camera, mut pointer) = (before, Pointer::default());
        assert!(!pointer.moved(Vec2::new(100.0, 100.0), SIZE, &mut camera), "nothing is held");
        pointer.button(button, PRESSED, shifted);
        assert!(pointer.is_dragging() && pointer.moved(Vec2::new(150.0, 120.0), SIZE, &mut camera));
        pointer.button(MouseButton::Left, PRESSED, false);
        pointer.button(button, RELEASED, false);
        assert!(!pointer.is_dragging() && !pointer.moved(Vec2::new(0.0, 0.0), SIZE, &mut camera));
        (before, camera)
    }

    #[test]
    fn each_button_drags_in_its_way() {
        let (before, after) = dragged(MouseButton::Left, false);
        assert!(after.yaw != before.yaw && after.target == before.target);
        for (button, shifted) in [(MouseButton::Left, true), (MouseButton::Middle, false)] {
            let (before, after) = dragged(button, shifted);
            assert!(after.target != before.target && after.yaw == before.yaw);
        }
        let (before, after) = dragged(MouseButton::Right, false);
        assert!(after.yaw != before.yaw && (after.eye() - before.eye()).length() < 1e-4);
    }

    #[test]
    fn wheels_touchpads_and_pinches_zoom() {
        let before = OrbitCamera::new(None, 1.0);
        let mut pointer = Pointer::default();
        let zoomed = |pointer: &Pointer, act: &dyn Fn(&Pointer, &mut OrbitCamera)| {
            let mut camera = before;
            act(pointer, &mut camera);
            camera
        };
        let wheel = |pointer: &Pointer, camera: &mut OrbitCamera| {
            pointer.scrolled(MouseScrollDelta::LineDelta(0.0, 1.0), SIZE, Vec2::ZERO, camera);
        };
        let pad = |pointer: &Pointer, camera: &mut OrbitCamera| {
            let pixels = winit::dpi::PhysicalPosition::new(0.0, f64::from(PIXELS_A_STEP));
            pointer.scrolled(MouseScrollDelta::PixelDelta(pixels), SIZE, Vec2::ZERO, camera);
        };
        let pinch =
            |pointer: &Pointer, camera: &mut OrbitCamera| pointer.pinched(0.1, SIZE, Vec2::ZERO, camera);
        let near = zoomed(&pointer, &wheel);
        assert!(near.distance < before.distance && near.target == before.target, "no pointer: the middle");
        assert_eq!(zoomed(&pointer, &pad).distance, near.distance);
        assert_eq!(zoomed(&pointer, &pinch).distance, near.distance);
        pointer.moved(Vec2::new(700.0, 100.0), SIZE, &mut before.clone());
        assert!(zoomed(&pointer, &wheel).target != before.target, "toward the pointer");
        let at_the_middle = Pointer { at: Some(SIZE * Vec2::new(0.6, 0.45)), drag: None };
        let aside = |pointer: &Pointer, camera: &mut OrbitCamera| {
            pointer.scrolled(MouseScrollDelta::LineDelta(0.0, 1.0), SIZE, Vec2::new(0.2, 0.1), camera);
        };
        let target = zoomed(&at_the_middle, &aside).target;
        assert!(target.abs_diff_eq(before.target, 1e-5), "the middle lies aside: {target}");
        let mut camera = before;
        pointer.scrolled(MouseScrollDelta::LineDelta(0.0, 1.0), Vec2::ZERO, Vec2::ZERO, &mut camera);
        assert!(camera.distance.is_finite(), "a window without area");
    }
}
