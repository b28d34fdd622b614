//! The command line. Parsed before anything is opened.

use clap::Parser;
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use std::path::PathBuf;

/// Largest width or height in pixels: what most devices can draw, and less than a window system may be asked for.
const LARGEST_SIDE: u32 = 16384;

/// Samples per pixel where no number is given, as `view` has it.
pub const SAMPLES: u32 = 4;

/// Shows an animated glTF file with Vulkan.
///
/// Opens a window; without a display (or with --headless) it writes PNG pictures instead. Escape closes the window.
#[derive(Parser, Debug, Clone, Default, PartialEq, Eq)]
#[command(version)]
pub struct Arguments {
    /// A .gltf or .glb file. Without one, the letter cube that is built in
    pub model: Option<PathBuf>,

    /// Do not open a window
    #[arg(long)]
    pub headless: bool,

    /// End after N frames were shown [default: in a window none, headless 60]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub frames: Option<u64>,

    /// Make the window's swapchain anew after every frame
    #[arg(long)]
    pub recreate_every_frame: bool,

    /// Size of the window or the pictures, in pixels, at most 16384 each way
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, allow_hyphen_values = true)]
    pub size: Size,

    /// Write the last frame to this file, whose name ends in .png
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(png))]
    pub output: Option<PathBuf>,

    /// Headless, write every frame to this folder [default: "frames", unless --output is given]
    #[arg(long, value_name = "FOLDER")]
    pub output_dir: Option<PathBuf>,

    /// Move the animation by 0.8 s a frame instead of by the clock
    #[arg(long)]
    pub smoke: bool,

    /// Run under the validation layer, and fail if it reports anything
    #[arg(long)]
    pub validate: bool,

    /// Samples per pixel, as the device has them [default: 4]
    #[arg(long, value_name = "1|2|4|8", value_parser = samples, allow_negative_numbers = true)]
    pub samples: Option<u32>,

    /// Use only a device whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
}

/// Width and height in pixels, both from 1 to 16384.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// A whole number above 0, in plain decimal digits.
pub fn positive(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("write a whole number above 0 in decimal digits, without a sign".to_owned());
    }
    match text.parse::<u64>() {
        Ok(0) => Err("must be above 0".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("must be at most {}", u64::MAX)),
    }
}

/// `WxH`, each as [`positive`] and at most 16384.
pub fn size(text: &str) -> Result<Size, String> {
    let side = |text: &str| positive(text).ok().and_then(|side| u32::try_from(side).ok());
    match text.split_once('x').map(|(width, height)| (side(width), side(height))) {
        Some((Some(width), Some(height))) if width.max(height) <= LARGEST_SIDE => Ok(Size { width, height }),
        _ => Err(format!("write width x height in pixels, each from 1 to {LARGEST_SIDE}, such as 800x600")),
    }
}

/// The file of a picture. Under another name it would be a PNG file all the same.
fn png(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("pictures are PNG files: name one that ends in .png"),
    }
}

/// 1, 2, 4 or 8.
pub fn samples(text: &str) -> Result<u32, String> {
    match text {
        "1" | "2" | "4" | "8" => Ok(u32::from(text.as_bytes()[0] - b'0')),
        _ => Err("must be 1, 2, 4 or 8".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from([&["fire-engine"], arguments].concat())
    }

    #[test]
    fn nothing_is_mandatory() {
        let size = Size { width: 1280, height: 800 };
        assert_eq!(parsed(&[]).unwrap(), Arguments { size, ..Arguments::default() });
    }

    #[test]
    fn everything_can_be_said() {
        let arguments = parsed(&[
            "model.glb",
            "--headless",
            "--frames",
            "3",
            "--recreate-every-frame",
            "--size",
            "64x48",
            "--output",
            "last.png",
            "--output-dir",
            "all",
            "--smoke",
            "--validate",
            "--samples",
            "4",
            "--device",
            "llvm",
        ]);
        let expected = Arguments {
            model: Some("model.glb".into()),
            headless: true,
            frames: Some(3),
            recreate_every_frame: true,
            size: Size { width: 64, height: 48 },
            output: Some("last.png".into()),
            output_dir: Some("all".into()),
            smoke: true,
            validate: true,
            samples: Some(4),
            device: Some("llvm".into()),
        };
        assert_eq!(arguments.unwrap(), expected);
    }

    #[test]
    fn frames_are_plain_decimal_numbers_above_zero() {
        assert_eq!(positive("1"), Ok(1));
        assert_eq!(positive("18446744073709551615"), Ok(u64::MAX));
        for bad in
            ["", "0", "00", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "ten", "18446744073709551616", "١"]
        {
            assert!(positive(bad).is_err(), "{bad:?}");
            assert!(parsed(&["--frames", bad]).is_err(), "{bad:?}");
        }
        assert!(parsed(&["--frames"]).is_err());
        assert!(parsed(&["--frames", "1", "--frames", "2"]).is_err());
    }

    #[test]
    fn sizes_are_two_such_numbers() {
        assert_eq!(size("1x16384"), Ok(Size { width: 1, height: 16384 }));
        for bad in [
            "",
            "x",
            "800",
            "800x",
            "x600",
            "0x600",
            "800x0",
            "-8x6",
            "8X6",
            "8x6x4",
            "8 x 6",
            "16385x1",
            "100000x100000",
            "4294967296x1",
        ] {
            assert!(size(bad).is_err_and(|message| message.contains("from 1 to 16384")), "{bad:?}");
        }
    }

    #[test]
    fn pictures_are_png_files() {
        for good in ["a.png", "A.PNG", "a.jpg/b.c.png"] {
            assert_eq!(parsed(&["--output", good]).unwrap().output, Some(good.into()));
        }
        for bad in ["", "a", "png", ".png", "a.jpg", "a.png.jpg", "a.png/b"] {
            assert!(parsed(&["--output", bad]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for bad in [&["--unknown"][..], &["a.glb", "b.glb"], &["--samples", "3"], &["--smoke=basic"]] {
            assert!(parsed(bad).is_err(), "{bad:?}");
        }
    }
}
