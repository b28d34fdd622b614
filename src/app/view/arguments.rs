//! What `view` may be told.

use super::key_list;
use crate::app::arguments::{Arguments, Size, positive, size};
use crate::app::drawing::{Mode, Repeats, samples};
use crate::app::values::{Choice, anisotropy, choice, color, seconds};
use clap::{Args, FromArgMatches as _, ValueEnum};
use std::path::PathBuf;

/// Models, and how to look at them.
#[derive(Args, Debug, Clone, PartialEq)]
#[command(after_help = key_list::columns())]
pub struct ViewArguments {
    /// .gltf or .glb files; the first is shown. Without any, the letter cube that is built in
    #[arg(value_name = "MODEL")]
    pub models: Vec<PathBuf>,

    /// Size of the window, in pixels, at most 16384 each way
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, allow_hyphen_values = true)]
    pub size: Size,

    /// Fill the screen
    #[arg(long)]
    pub full_screen: bool,

    /// Which scene of the file, by number or name [default: the file's own]
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice)]
    pub scene: Option<Choice>,

    /// Which variant of the materials, by number or name
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice)]
    pub variant: Option<Choice>,

    /// Look through a camera of the file, by number or name of its node [default: around the model]
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice)]
    pub camera: Option<Choice>,

    /// A clip to play, by number or name, all, or none; may be repeated [default: one for each figure]
    #[arg(long, value_name = "INDEX|NAME|all|none", value_parser = choice)]
    pub clip: Vec<Choice>,

    /// Seconds since the start of the clips, at first
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds, allow_hyphen_values = true)]
    pub time: f64,

    /// What happens at the end of a clip: it stays there, or begins again
    #[arg(long = "loop", value_name = "MODE", value_enum, default_value_t)]
    pub repeats: Repeats,

    /// Let time stand still at first
    #[arg(long)]
    pub paused: bool,

    /// Background color in sRGB
    #[arg(long, value_name = "RRGGBB", default_value = "1e2227", value_parser = color)]
    pub background: [f32; 4],

    /// Samples per pixel, as the device has them
    #[arg(long, value_name = "1|2|4|8", default_value = "4", value_parser = samples)]
    pub samples: u32,

    /// Anisotropy of texture filtering, 1 or more [default: 16, without a GPU 1]
    #[arg(long, value_name = "N", value_parser = anisotropy, allow_hyphen_values = true)]
    pub anisotropy: Option<f32>,

    /// What of the surfaces is drawn
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub mode: Mode,

    /// Whether frames wait for the screen
    #[arg(long, value_name = "on|off", value_enum, default_value_t)]
    pub vsync: Vsync,

    /// Begin without the panel
    #[arg(long)]
    pub no_panel: bool,

    /// Do not load a model again when its files change
    #[arg(long)]
    pub no_watch: bool,

    /// End after N frames were shown
    #[arg(long, value_name = "N", value_parser = positive, allow_hyphen_values = true)]
    pub frames: Option<u64>,

    /// Use only a device whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,

    /// Run under the validation layer, and fail if it reports anything
    #[arg(long)]
    pub validate: bool,

    /// Say how long each step took, from the start to the first picture
    #[arg(long)]
    pub timings: bool,
}

impl ViewArguments {
    /// What a command line without a command asks to look at; `None` if it is about certain frames or about pictures.
    pub fn without_command(arguments: &Arguments) -> Option<Self> {
        let Arguments { model, size, samples, device, .. } = arguments.clone();
        let only_looks =
            Arguments { model: model.clone(), size, samples, device: device.clone(), ..Arguments::default() };
        let only_looks = *arguments == Arguments { validate: arguments.validate, ..only_looks };
        let plain = Self::plain().filter(|_| only_looks)?;
        Some(Self {
            models: model.into_iter().collect(),
            size,
            samples: samples.unwrap_or(plain.samples),
            device,
            validate: arguments.validate,
            ..plain
        })
    }

    /// What is so where nothing is said.
    fn plain() -> Option<Self> {
        let matches = Self::augment_args(clap::Command::new("view")).try_get_matches_from(["view"]).ok()?;
        Self::from_arg_matches(&matches).ok()
    }
}

/// Whether frames wait for the screen's refresh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Vsync {
    /// No tearing, at the screen's pace
    #[default]
    On,
    /// As fast as can be
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory as _, Parser};

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        view: ViewArguments,
    }

    fn parsed(arguments: &[&str]) -> Result<ViewArguments, clap::Error> {
        Line::try_parse_from([&["view"], arguments].concat()).map(|line| line.view)
    }

    #[test]
    fn the_declaration_is_consistent() {
        Line::command().debug_assert();
    }

    #[test]
    fn nothing_is_mandatory_and_pictures_are_good_by_default() {
        let arguments = parsed(&[]).unwrap();
        assert_eq!(ViewArguments::plain(), Some(arguments.clone()));
        assert!(arguments.models.is_empty() && !arguments.no_panel && !arguments.no_watch);
        assert_eq!((arguments.samples, arguments.anisotropy, arguments.vsync), (4, None, Vsync::On));
        assert_eq!(arguments.size, Size { width: 1280, height: 800 });
    }

    #[test]
    fn a_bare_command_line_looks_at_a_model_unless_it_is_about_frames_or_pictures() {
        let bare = |arguments: &[&str]| {
            let bare = Arguments::try_parse_from([&["fire-engine"], arguments].concat()).unwrap();
            ViewArguments::without_command(&bare)
        };
        let view = bare(&["a.glb", "--size", "64x48", "--validate", "--device", "llvm"]).unwrap();
        let wanted = parsed(&["a.glb", "--size", "64x48", "--validate", "--device", "llvm"]).unwrap();
        assert_eq!(view, wanted);
        assert_eq!(bare(&["--samples", "1"]).unwrap().samples, 1);
        for other in [
            &["--headless"][..],
            &["--frames", "3"],
            &["--smoke"],
            &["--recreate-every-frame"],
            &["--output", "a.png"],
            &["--output-dir", "a"],
        ] {
            assert_eq!(bare(other), None, "{other:?}");
        }
    }

    #[test]
    fn many_models_and_clips_can_be_named() {
        let arguments =
            parsed(&["a.glb", "b.gltf", "--clip", "Walk", "--clip", "2", "--vsync", "off", "--time", "1.5"]);
        let arguments = arguments.unwrap();
        assert_eq!((arguments.models.len(), arguments.clip.len()), (2, 2));
        assert_eq!((arguments.vsync, arguments.time), (Vsync::Off, 1.5));
        for bad in [&["--samples", "3"][..], &["--vsync", "maybe"], &["--frames", "0"], &["--size", "9"]] {
            assert!(parsed(bad).is_err(), "{bad:?}");
        }
    }
}
