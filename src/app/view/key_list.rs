//! What a user is told of keys and the mouse, in the help of the command line and over the picture.

/// What does something, and what it does.
pub type Entry = (&'static str, &'static str);

/// All of them, in parts with titles.
pub const LIST: [(&str, &[Entry]); 2] = [
    (
        "Mouse",
        &[
            ("left drag", "orbit"),
            ("wheel, pinch", "zoom at the pointer"),
            ("middle drag", "pan (or Shift and left)"),
            ("right drag", "look around from the eye"),
            ("drop a file", "opens it"),
        ],
    ),
    (
        "Keys",
        &[
            ("W A S D Q E", "fly, Shift faster"),
            ("F", "frame the model as it is posed"),
            ("Space", "play or pause"),
            (", .", "a thirtieth of a second back or on"),
            ("Home", "clips from their start"),
            ("C", "next camera of the file, and back"),
            ("V", "next variant"),
            ("M", "next mode of drawing"),
            ("O", "parallel view, and back"),
            ("PageUp/Down", "another model"),
            ("F5", "load again"),
            ("Tab", "panel; ends typing"),
            ("F11", "full screen"),
            ("F1 ?", "this list"),
            ("Escape", "leave full screen, quit"),
        ],
    ),
];

/// The list as text for a terminal, two entries a line.
pub fn columns() -> String {
    let mut lines = Vec::new();
    for (title, entries) in LIST {
        lines.push(format!("{title}:"));
        for pair in entries.chunks(2) {
            let [(key, what), rest @ ..] = pair else { continue };
            let second = rest.first().map(|(key, what)| format!("{key:<15}{what}"));
            let line = format!("  {key:<15}{what:<25}{}", second.unwrap_or_default());
            lines.push(line.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::keys::{self, Held};
    use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

    /// Whether an entry names a key.
    fn tells(key: &str) -> bool {
        LIST[1].1.iter().any(|(keys, _)| keys.split(' ').any(|told| told == key))
    }

    #[test]
    fn every_key_that_does_something_is_told_and_every_other_is_not() {
        let place = PhysicalKey::Code(KeyCode::F35);
        let flies = [
            ('W', KeyCode::KeyW),
            ('A', KeyCode::KeyA),
            ('S', KeyCode::KeyS),
            ('D', KeyCode::KeyD),
            ('Q', KeyCode::KeyQ),
            ('E', KeyCode::KeyE),
        ];
        for (letter, code) in flies {
            let mut held = Held::default();
            held.set(PhysicalKey::Code(code), true);
            assert!(held.motion().is_some() && tells(&letter.to_string()), "{letter}");
        }
        // Shift makes `<` of a comma.
        for character in ('!'..='~').filter(|character| !"<>".contains(*character)) {
            let text = character.to_string();
            let does = keys::order(&Key::Character(text.as_str().into()), place).is_some()
                || flies.iter().any(|(letter, _)| *letter == character.to_ascii_uppercase());
            assert_eq!(tells(&text.to_uppercase()), does, "{character}");
        }
        for (key, name) in [
            (NamedKey::Escape, "Escape"),
            (NamedKey::Tab, "Tab"),
            (NamedKey::F1, "F1"),
            (NamedKey::F2, "F2"),
            (NamedKey::F5, "F5"),
            (NamedKey::F11, "F11"),
            (NamedKey::F12, "F12"),
            (NamedKey::Space, "Space"),
            (NamedKey::Home, "Home"),
            (NamedKey::End, "End"),
            (NamedKey::Enter, "Enter"),
        ] {
            assert_eq!(tells(name), keys::order(&Key::Named(key), place).is_some(), "{name}");
        }
        assert!(tells("PageUp/Down") && keys::order(&Key::Named(NamedKey::PageUp), place).is_some());
    }

    #[test]
    fn the_text_has_all_of_it_in_columns_of_a_terminal() {
        let text = columns();
        for (title, entries) in LIST {
            assert!(text.lines().any(|line| line == format!("{title}:")));
            for (key, what) in entries {
                assert!(text.contains(&format!("{key:<15}{what}")), "{key}");
            }
        }
        assert!(text.lines().all(|line| line.len() <= 100 && line == line.trim_end()), "{text}");
        let second = text.lines().filter_map(|line| line.get(42..)).filter(|rest| !rest.is_empty());
        assert!(second.into_iter().all(|rest| !rest.starts_with(' ')), "{text}");
    }
}
