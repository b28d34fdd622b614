//! The sRGB transfer function (IEC 61966-2-1).

/// Linear value of an sRGB byte, from 0 to 1.
#[must_use]
pub fn srgb_to_linear(byte: u8) -> f32 {
    srgb_decode(f32::from(byte) / 255.0)
}

/// Linear value of an encoded one; both from 0 to 1.
pub(crate) fn srgb_decode(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Nearest sRGB byte of a linear value, which is clamped to 0..1; NaN gives 0.
#[must_use]
pub fn linear_to_srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_and_the_ends_stay() {
        assert!((0..=u8::MAX).all(|byte| linear_to_srgb(srgb_to_linear(byte)) == byte));
        assert_eq!((srgb_to_linear(0), srgb_to_linear(255)), (0.0, 1.0));
        assert_eq!((linear_to_srgb(-1.0), linear_to_srgb(2.0)), (0, 255));
        // Half the light is a good deal more than half of the byte's range.
        assert_eq!(linear_to_srgb(0.5), 188);
    }
}
