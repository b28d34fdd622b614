//! egui's colors (encoded sRGB, premultiplied) as the overlay's (encoded sRGB, straight alpha, blended in linear light).

use crate::math::srgb_decode;
use ::egui::Color32;

/// Whether a color is lighter or darker than what is assumed to lie behind it; picks a band of the font's texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Light,
    Dark,
}

/// Encoded brightness of typical text and of what lies behind it, as egui's dark and light theme have them.
const LIGHT_TEXT: (f32, f32) = (0.72, 0.106);
const DARK_TEXT: (f32, f32) = (0.2, 0.97);

/// What translucent colors are assumed to lie in front of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Backdrop {
    /// Encoded brightness, 0 to 1.
    panel: f32,
}

/// A color of the overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Converted {
    pub(super) color: [u8; 4],
    pub(super) ink: Ink,
}

impl Backdrop {
    /// The backdrop of an interface whose panels have this color.
    pub(super) fn new(panel: Color32) -> Self {
        let [color @ .., _] = straight(panel);
        Self { panel: brightness(color) }
    }

    /// The color of a vertex.
    pub(super) fn convert(self, color: Color32) -> Converted {
        let [red, green, blue, alpha] = straight(color);
        let source = brightness([red, green, blue]);
        let behind = self.behind(source);
        let ink = if source > behind { Ink::Light } else { Ink::Dark };
        let alpha = match alpha {
            0 | u8::MAX => alpha,
            _ => byte(linear_alpha(source, behind, f32::from(alpha) / 255.0)),
        };
        Converted { color: [red, green, blue, alpha], ink }
    }

    /// What lies behind a color of that brightness. What is darker than dark panels does not lie on them to be seen, and
    /// what is lighter than light ones neither.
    fn behind(self, source: f32) -> f32 {
        match (self.panel < 0.5, source < self.panel) {
            (true, true) => 1.0,
            (false, false) => 0.0,
            _ => self.panel,
        }
    }
}

/// Brightness of an encoded color, 0 to 1.
fn brightness([red, green, blue]: [u8; 3]) -> f32 {
    (0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue)) / 255.0
}

/// The alpha that does in linear light what `alpha` does to encoded values, for one source and one backdrop.
fn linear_alpha(source: f32, behind: f32, alpha: f32) -> f32 {
    let span = srgb_decode(source) - srgb_decode(behind);
    if span.abs() < 1e-3 {
        // The limit of equal colors.
        return alpha;
    }
    let mixed = behind + (source - behind) * alpha;
    ((srgb_decode(mixed) - srgb_decode(behind)) / span).clamp(0.0, 1.0)
}

fn byte(value: f32) -> u8 {
    (value * 255.0 + 0.5) as u8
}

/// A color with straight alpha, exact for opaque ones. Where a component exceeds alpha, alpha is raised to it: in front of
/// black that looks the same.
pub(super) fn straight(color: Color32) -> [u8; 4] {
    let [red, green, blue, alpha] = color.to_array();
    let alpha = alpha.max(red).max(green).max(blue);
    let divided = |value: u8| match alpha {
        0 => 0,
        alpha => ((u32::from(value) * 255 + u32::from(alpha) / 2) / u32::from(alpha)) as u8,
    };
    [divided(red), divided(green), divided(blue), alpha]
}

/// For each alpha of a font's texel, the one with which text of that ink looks as egui means it.
pub(super) fn text_curve(ink: Ink) -> [u8; 256] {
    let (source, behind) = match ink {
        Ink::Light => LIGHT_TEXT,
        Ink::Dark => DARK_TEXT,
    };
    std::array::from_fn(|alpha| byte(linear_alpha(source, behind, alpha as f32 / 255.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{linear_to_srgb, srgb_to_linear};

    const DARK: Backdrop = Backdrop { panel: 27.0 / 255.0 };
    const LIGHT: Backdrop = Backdrop { panel: 248.0 / 255.0 };

    /// The overlay's blending of gray values.
    fn over(source: u8, alpha: u8, behind: u8) -> u8 {
        let alpha = f32::from(alpha) / 255.0;
        linear_to_srgb(srgb_to_linear(source) * alpha + srgb_to_linear(behind) * (1.0 - alpha))
    }

    /// egui's blending of a premultiplied gray.
    fn over_encoded(premultiplied: u8, alpha: u8, behind: u8) -> u8 {
        let kept = f32::from(behind) * (1.0 - f32::from(alpha) / 255.0);
        (f32::from(premultiplied) + kept).round().min(255.0) as u8
    }

    #[test]
    fn opaque_colors_are_exact() {
        for value in 0..=u8::MAX {
            let color = Color32::from_rgb(value, 255 - value, value / 2);
            for backdrop in [DARK, LIGHT] {
                assert_eq!(backdrop.convert(color).color, [value, 255 - value, value / 2, 255]);
            }
        }
        assert_eq!(DARK.convert(Color32::TRANSPARENT).color, [0; 4]);
    }

    #[test]
    fn translucent_grays_look_the_same_in_front_of_the_panels() {
        for (backdrop, panel) in [(DARK, 27), (LIGHT, 248)] {
            for source in [0_u8, 60, 140, 180, 255] {
                // A gray beyond the panel's lies in front of the opposite, if it is to be seen.
                let behind = match backdrop.behind(f32::from(source) / 255.0) {
                    0.0 => 0,
                    1.0 => 255,
                    _ => panel,
                };
                for alpha in [16_u8, 40, 96, 128, 200, 254] {
                    let color = Color32::from_rgba_unmultiplied(source, source, source, alpha);
                    let [gray, .., converted] = backdrop.convert(color).color;
                    let (ours, theirs) =
                        (over(gray, converted, behind), over_encoded(color.r(), alpha, behind));
                    // One step of an alpha byte is several steps of the encoded color near black.
                    assert!(ours.abs_diff(theirs) <= 4, "{source} {alpha} on {behind}: {ours}, not {theirs}");
                }
            }
        }
    }

    #[test]
    fn translucent_black_darkens_every_backdrop_as_egui_does() {
        for alpha in [25, 96, 180] {
            let [.., converted] = DARK.convert(Color32::from_black_alpha(alpha)).color;
            // The curve of sRGB is no pure power, which shows near black.
            for behind in [60, 128, 200, 255] {
                let (ours, theirs) = (over(0, converted, behind), over_encoded(0, alpha, behind));
                assert!(ours.abs_diff(theirs) <= 8, "{alpha} on {behind}: {ours}, not {theirs}");
            }
        }
    }

    #[test]
    fn added_light_becomes_what_looks_the_same_in_front_of_black() {
        assert_eq!(straight(Color32::from_rgb_additive(0, 200, 100)), [0, 255, 128, 200]);
        assert_eq!(straight(Color32::from_additive_luminance(5)), [255, 255, 255, 5]);
        assert_eq!(straight(Color32::from_rgba_premultiplied(64, 254, 0, 128)), [64, 255, 0, 254]);
    }

    #[test]
    fn text_curves_keep_their_ends_rise_and_bend_opposite_ways() {
        for ink in [Ink::Light, Ink::Dark] {
            let curve = text_curve(ink);
            assert_eq!((curve[0], curve[255]), (0, 255));
            assert!(curve.is_sorted());
        }
        // Half covered, in egui's eyes: light text needs less than half of the light, dark text leaves less than half.
        assert!((60..90).contains(&text_curve(Ink::Light)[128]));
        assert!((165..200).contains(&text_curve(Ink::Dark)[128]));
    }

    #[test]
    fn ink_follows_from_the_panels_it_lies_on() {
        assert_eq!(DARK.convert(Color32::from_gray(140)).ink, Ink::Light);
        assert_eq!(DARK.convert(Color32::BLACK).ink, Ink::Dark);
        assert_eq!(LIGHT.convert(Color32::from_gray(80)).ink, Ink::Dark);
        assert_eq!(LIGHT.convert(Color32::WHITE).ink, Ink::Light);
        assert_eq!(LIGHT.convert(Color32::from_rgb(0, 155, 255)).ink, Ink::Dark);
    }
}
