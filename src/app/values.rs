//! How numbers, colors and choices are written on the command line.

use fire_engine::math::{Vec2, Vec3, srgb_to_linear};

/// One of several things, by its number or by its name.
///
/// Digits are a number; a thing whose name is made of digits is found by them where no thing has that number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice(String);

/// Parses a [`Choice`]; anything is one.
pub fn choice(text: &str) -> Result<Choice, String> {
    Ok(Choice(text.to_owned()))
}

impl Choice {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The number, if it was written as one.
    pub fn number(&self) -> Option<usize> {
        let digits = !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| self.0.parse().ok()).flatten()
    }

    /// The position that is meant among things of these names.
    pub fn among<'a>(&self, mut names: impl ExactSizeIterator<Item = &'a str>) -> Option<usize> {
        match self.number() {
            Some(number) if number < names.len() => Some(number),
            _ => names.position(|name| name == self.0),
        }
    }
}

/// A finite number.
pub fn finite(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("write a finite number, such as 1.5".to_owned()),
    }
}

/// A finite number above 0.
pub fn above_zero(text: &str) -> Result<f32, String> {
    finite(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "write a number above 0".to_owned())
}

/// A distance above 0, or `inf`.
pub fn far(text: &str) -> Result<f32, String> {
    if text == "inf" { Ok(f32::INFINITY) } else { above_zero(text).map_err(|error| error + ", or inf") }
}

/// A finite number of 0 or more.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.map(|number| number + 0.0).ok_or_else(|| "write seconds, 0 or more".to_owned())
}

/// Pictures a second: above 0, at most 1000.
pub fn frame_rate(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1000.0);
    number.ok_or_else(|| "write pictures a second, above 0 and at most 1000".to_owned())
}

/// Degrees, above 0 and below 180.
pub fn field_of_view(text: &str) -> Result<f32, String> {
    let number = finite(text).ok().filter(|degrees| *degrees > 0.0 && *degrees < 180.0);
    number.ok_or_else(|| "write degrees, above 0 and below 180".to_owned())
}

/// A finite number of 1 or more.
pub fn anisotropy(text: &str) -> Result<f32, String> {
    finite(text).ok().filter(|number| *number >= 1.0).ok_or_else(|| "write a number of 1 or more".to_owned())
}

/// `x,y,z`.
pub fn vector(text: &str) -> Result<Vec3, String> {
    let numbers: Vec<f32> = text.split(',').map_while(|number| finite(number).ok()).collect();
    match (numbers.as_slice(), text.split(',').count()) {
        (&[x, y, z], 3) => Ok(Vec3::new(x, y, z)),
        _ => Err("write three numbers with commas between, such as 0,1.5,-4".to_owned()),
    }
}

/// `XMAG,YMAG`, both above 0.
pub fn magnification(text: &str) -> Result<Vec2, String> {
    let numbers: Vec<f32> = text.split(',').map_while(|number| above_zero(number).ok()).collect();
    match (numbers.as_slice(), text.split(',').count()) {
        (&[x, y], 2) => Ok(Vec2::new(x, y)),
        _ => Err("write two numbers above 0 with a comma between, such as 1.5,1".to_owned()),
    }
}

/// `RRGGBB` or `#RRGGBB` in sRGB, or `transparent`; as the renderer takes it, linear with straight alpha.
pub fn background(text: &str) -> Result<[f32; 4], String> {
    if text == "transparent" {
        return Ok([0.0; 4]);
    }
    color(text).map_err(|wanted| format!("{wanted}, or transparent"))
}

/// `RRGGBB` or `#RRGGBB` in sRGB; as the renderer takes it, linear.
pub fn color(text: &str) -> Result<[f32; 4], String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = is_color.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
    let [_, red, green, blue] = number.ok_or("write six hexadecimal digits, such as 304050")?.to_be_bytes();
    Ok([srgb_to_linear(red), srgb_to_linear(green), srgb_to_linear(blue), 1.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_number_before_it_is_a_name() {
        let among = |text: &str, names: &[&str]| choice(text).unwrap().among(names.iter().copied());
        assert_eq!(among("1", &["walk", "run"]), Some(1));
        assert_eq!(among("run", &["walk", "run", "run"]), Some(1));
        assert_eq!(among("0", &["1", "0"]), Some(0), "the number wins");
        assert_eq!(among("7", &["walk", "7"]), Some(1), "no such number: a name");
        assert_eq!(among("", &["walk", ""]), Some(1), "what has no name");
        for absent in ["2", "Walk", "-1", "+1", "1.0", "99999999999999999999999"] {
            assert_eq!(among(absent, &["walk", "run"]), None, "{absent}");
        }
    }

    #[test]
    fn numbers_are_finite_and_in_their_range() {
        assert_eq!(finite("-1.5e2"), Ok(-150.0));
        assert_eq!(far("inf"), Ok(f32::INFINITY));
        assert_eq!(seconds("-0").map(f64::to_bits), Ok(0));
        assert_eq!(frame_rate("23.976"), Ok(23.976));
        for bad in ["", "x", "nan", "inf", "-inf", "1e99", "1,5"] {
            assert!(finite(bad).is_err(), "{bad}");
            assert!(anisotropy(bad).is_err() && field_of_view(bad).is_err(), "{bad}");
        }
        for bad in ["0", "-1", "nan", "-inf"] {
            assert!(above_zero(bad).is_err() && far(bad).is_err() && frame_rate(bad).is_err(), "{bad}");
            assert!(field_of_view(bad).is_err() && anisotropy(bad).is_err(), "{bad}");
        }
        assert!(field_of_view("180").is_err() && anisotropy("0.5").is_err() && frame_rate("1001").is_err());
        for bad in ["-1", "nan", "inf", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn vectors_have_as_many_numbers_as_they_need() {
        assert_eq!(vector("-1, 2,3e0"), Ok(Vec3::new(-1.0, 2.0, 3.0)));
        assert_eq!(magnification("2,0.5"), Ok(Vec2::new(2.0, 0.5)));
        for bad in ["", "1", "1,2", "1,2,3,4", "1,2,3,", "1,2,3,x", "1,,3", "1,2,nan", "1 2 3"] {
            assert!(vector(bad).is_err(), "{bad}");
        }
        for bad in ["", "1", "1,0", "-1,1", "1,2,3", "1,2,x"] {
            assert!(magnification(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn colors_are_srgb_digits() {
        assert_eq!(background("000000"), Ok([0.0, 0.0, 0.0, 1.0]));
        assert_eq!(background("#FFffFF"), Ok([1.0; 4]));
        assert_eq!(background("transparent"), Ok([0.0; 4]));
        // Each place is its own channel; 0x80 is 0.2159 in linear light by IEC 61966-2-1.
        let [red, green, blue, alpha] = background("8000ff").unwrap();
        assert!((red - 0.215_86).abs() < 1e-4 && green == 0.0 && blue == 1.0 && alpha == 1.0);
        for bad in ["", "fff", "12345g", "1234567", "##12345", "#12345", "red", "+12345"] {
            assert!(background(bad).is_err(), "{bad}");
        }
    }
}
