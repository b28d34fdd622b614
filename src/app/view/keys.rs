//! Keys: those that give an order when they are pressed, and those that move while they are held.

use super::order::Order;
use fire_engine::math::Vec3;
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Seconds of the clips that a press of `,` or `.` moves.
const NUDGE: f64 = 1.0 / 30.0;

/// How much faster than else one flies with Shift held.
const HASTE: f32 = 4.0;

/// The order of a key that was pressed, by what is written on it; where that is of another script, by where it is.
pub fn order(key: &Key, place: PhysicalKey) -> Option<Order> {
    Some(match key {
        Key::Named(NamedKey::Escape) => Order::Escape,
        Key::Named(NamedKey::Tab) => Order::TogglePanel,
        Key::Named(NamedKey::F1) => Order::ToggleKeys,
        Key::Named(NamedKey::F11) => Order::ToggleFullScreen,
        Key::Named(NamedKey::F5) => Order::Reload,
        Key::Named(NamedKey::Space) => Order::TogglePlay,
        Key::Named(NamedKey::Home) => Order::Restart,
        Key::Named(NamedKey::PageUp) => Order::Neighbor(-1),
        Key::Named(NamedKey::PageDown) => Order::Neighbor(1),
        Key::Character(text) => match if text.is_ascii() { text.as_str() } else { latin(place) } {
            " " => Order::TogglePlay,
            "?" => Order::ToggleKeys,
            "f" | "F" => Order::Frame,
            "c" | "C" => Order::NextCamera,
            "v" | "V" => Order::NextVariant,
            "m" | "M" => Order::NextMode,
            "o" | "O" => Order::ToggleProjection,
            "," | "<" => Order::Nudge(-NUDGE),
            "." | ">" => Order::Nudge(NUDGE),
            _ => return None,
        },
        _ => return None,
    })
}

/// What is written on some keys where a Latin script is.
fn latin(place: PhysicalKey) -> &'static str {
    match place {
        PhysicalKey::Code(KeyCode::KeyF) => "f",
        PhysicalKey::Code(KeyCode::KeyC) => "c",
        PhysicalKey::Code(KeyCode::KeyV) => "v",
        PhysicalKey::Code(KeyCode::KeyM) => "m",
        PhysicalKey::Code(KeyCode::KeyO) => "o",
        PhysicalKey::Code(KeyCode::Comma) => ",",
        PhysicalKey::Code(KeyCode::Period) => ".",
        _ => "",
    }
}

/// The keys to fly with, by where they are on the keyboard: W is above S in every layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Right, left, up, down, forward, backward.
    directions: [bool; 6],
    modifiers: ModifiersState,
    /// Keys that were down when the window got the focus, until they go up. They were pressed for another window, but
    /// repeat themselves in this one.
    foreign: Vec<PhysicalKey>,
}

impl Held {
    /// A key was down already when the window got the focus.
    pub fn was_down(&mut self, key: PhysicalKey) {
        self.foreign.push(key);
    }

    /// Whether that key was pressed for another window.
    pub fn is_foreign(&self, key: PhysicalKey) -> bool {
        self.foreign.contains(&key)
    }

    /// A key went down or up.
    pub fn set(&mut self, key: PhysicalKey, down: bool) {
        self.foreign.retain(|foreign| *foreign != key);
        let PhysicalKey::Code(code) = key else { return };
        let direction = match code {
            KeyCode::KeyD => 0,
            KeyCode::KeyA => 1,
            KeyCode::KeyE => 2,
            KeyCode::KeyQ => 3,
            KeyCode::KeyW => 4,
            KeyCode::KeyS => 5,
            _ => return,
        };
        self.directions[direction] = down;
    }

    /// Shift, Control and their like changed.
    pub fn set_modifiers(&mut self, modifiers: ModifiersState) {
        self.modifiers = modifiers;
    }

    /// Whether Shift is held.
    pub fn is_hasty(&self) -> bool {
        self.modifiers.shift_key()
    }

    /// Whether keys are part of a shortcut such as Control and C, which is no single key's order.
    pub fn is_chord(&self) -> bool {
        self.modifiers.intersects(ModifiersState::CONTROL | ModifiersState::ALT | ModifiersState::SUPER)
    }

    /// Where to fly: right, up and forward, as [`OrbitCamera::fly`](fire_engine::controls::OrbitCamera::fly) takes it,
    /// with how many seconds each second counts for. `None` if nothing is held.
    pub fn motion(&self) -> Option<(Vec3, f32)> {
        let along = |axis: usize| {
            f32::from(u8::from(self.directions[2 * axis]))
                - f32::from(u8::from(self.directions[2 * axis + 1]))
        };
        let motion = Vec3::new(along(0), along(1), along(2));
        let flies = motion != Vec3::ZERO && !self.is_chord();
        flies.then_some((motion, if self.is_hasty() { HASTE } else { 1.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_give_orders_in_either_case_and_others_none() {
        let place = PhysicalKey::Code(KeyCode::KeyF);
        let order = |key: &Key| super::order(key, place);
        let pressed = |text: &str| order(&Key::Character(text.into()));
        assert_eq!((pressed("f"), pressed("F")), (Some(Order::Frame), Some(Order::Frame)));
        for (key, wanted) in [
            (NamedKey::Escape, Order::Escape),
            (NamedKey::Tab, Order::TogglePanel),
            (NamedKey::F11, Order::ToggleFullScreen),
            (NamedKey::F5, Order::Reload),
            (NamedKey::Space, Order::TogglePlay),
            (NamedKey::Home, Order::Restart),
            (NamedKey::PageUp, Order::Neighbor(-1)),
            (NamedKey::PageDown, Order::Neighbor(1)),
        ] {
            assert_eq!(order(&Key::Named(key)), Some(wanted));
        }
        for (text, wanted) in [
            (" ", Order::TogglePlay),
            ("c", Order::NextCamera),
            ("V", Order::NextVariant),
            ("m", Order::NextMode),
            ("O", Order::ToggleProjection),
            (",", Order::Nudge(-1.0 / 30.0)),
            (">", Order::Nudge(1.0 / 30.0)),
        ] {
            assert_eq!(pressed(text), Some(wanted));
        }
        assert_eq!(pressed("а"), Some(Order::Frame), "of a Cyrillic layout");
        assert_eq!(
            (pressed("?"), order(&Key::Named(NamedKey::F1))),
            (Some(Order::ToggleKeys), Some(Order::ToggleKeys))
        );
        assert_eq!((pressed("w"), order(&Key::Named(NamedKey::F2))), (None, None));
    }

    #[test]
    fn what_is_held_moves_and_opposites_cancel() {
        let mut held = Held::default();
        assert_eq!(held.motion(), None);
        let press = |held: &mut Held, code, down| held.set(PhysicalKey::Code(code), down);
        press(&mut held, KeyCode::KeyW, true);
        press(&mut held, KeyCode::KeyD, true);
        assert_eq!(held.motion(), Some((Vec3::new(1.0, 0.0, 1.0), 1.0)));
        held.set_modifiers(ModifiersState::SHIFT);
        press(&mut held, KeyCode::KeyA, true);
        assert_eq!(held.motion(), Some((Vec3::new(0.0, 0.0, 1.0), HASTE)));
        press(&mut held, KeyCode::KeyS, true);
        assert!(held.motion().is_none() && held.is_hasty());
        press(&mut held, KeyCode::F1, true);
        assert!(held.motion().is_none());
        press(&mut held, KeyCode::KeyW, false);
        held.set_modifiers(ModifiersState::CONTROL);
        assert!(held.motion().is_none() && held.is_chord(), "Control and S is no flight");
        held.set_modifiers(ModifiersState::empty());
        assert!(held.motion().is_some() && !held.is_chord());
    }

    #[test]
    fn a_key_of_another_window_is_foreign_until_it_goes_up() {
        let (mut held, key) = (Held::default(), PhysicalKey::Code(KeyCode::KeyW));
        held.was_down(key);
        assert!(held.is_foreign(key) && !held.is_foreign(PhysicalKey::Code(KeyCode::KeyS)));
        assert_eq!(held.motion(), None);
        held.set(key, false);
        assert!(!held.is_foreign(key));
        held.set(key, true);
        assert!(!held.is_foreign(key) && held.motion().is_some());
    }
}
