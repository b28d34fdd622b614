//! What `render` may be told.

use crate::app::arguments::{Size, size};
use crate::app::drawing::{Mode, Repeats, samples};
use crate::app::values::{
    Choice, above_zero, anisotropy, background, choice, far, field_of_view, finite, frame_rate,
    magnification, seconds, vector,
};
use clap::Args;
use fire_engine::math::{Vec2, Vec3};
use std::path::PathBuf;

/// What scripts can rely on.
const EXIT_CODES: &str = "Exit codes:
  0  every picture was written
  1  some model failed, with one line on standard error for each; the others were drawn
  2  the command line is wrong, an output cannot be written, or a model is read from it; nothing was drawn
  3  there is no device that can draw as asked for (--device, --samples), or it was lost, or --validate found faults";

/// Models, and how to draw them.
#[derive(Args, Debug, Clone, PartialEq)]
#[command(after_help = EXIT_CODES)]
pub struct RenderArguments {
    /// .gltf or .glb files
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,

    /// Where pictures go: .png, .apng or .gif, or - for raw RGBA on standard output
    ///
    /// {name} stands for the model's file name without its ending, {index} for its place among the models, and {frame}
    /// for the picture's number in a sequence; {{ for a { itself. Many models need {name} or {index}; a sequence of PNG files
    /// without {frame} gets the number before .png. A file that is there is replaced once the new one is whole, and written in place
    /// only where nothing else may be made in its folder, or it cannot be replaced; one that a model of the run is read from never
    /// is.
    #[arg(short, long, value_name = "FILE", required_unless_present = "contact_sheet")]
    pub output: Option<PathBuf>,

    /// Size of a picture, in pixels, at most 16384 each way
    #[arg(long, value_name = "WxH", default_value = "800x600", value_parser = size, allow_hyphen_values = true)]
    pub size: Size,

    /// Which scene of the file, by number or name [default: the file's own]
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice, allow_negative_numbers = true)]
    pub scene: Option<Choice>,

    /// Which variant of the materials, by number or name
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice, allow_negative_numbers = true)]
    pub variant: Option<Choice>,

    #[command(flatten)]
    pub camera: CameraArguments,

    #[command(flatten)]
    pub motion: MotionArguments,

    /// Background color in sRGB, or transparent
    #[arg(long, value_name = "RRGGBB|transparent", default_value = "1e2227", value_parser = background)]
    pub background: [f32; 4],

    /// Samples per pixel, as the device has them
    #[arg(long, value_name = "1|2|4|8", default_value = "1", value_parser = samples, allow_negative_numbers = true)]
    pub samples: u32,

    /// Anisotropy of texture filtering, 1 or more
    #[arg(long, value_name = "N", default_value = "1", value_parser = anisotropy, allow_negative_numbers = true)]
    pub anisotropy: f32,

    /// What of the surfaces is drawn
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub mode: Mode,

    /// One picture of all models, in rows (with the first picture of a sequence)
    #[arg(long, value_name = "FILE.png")]
    pub contact_sheet: Option<PathBuf>,

    /// Pictures in a row of the contact sheet [default: about as many as rows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "contact_sheet")]
    pub columns: Option<u32>,

    /// Write the models' names on the contact sheet, with folders after those that are the same; letters beyond Latin become ?
    #[arg(long, requires = "contact_sheet")]
    pub labels: bool,

    /// How many models are loaded at once [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), allow_negative_numbers = true)]
    pub jobs: Option<u32>,

    /// Use only a device whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,

    /// Run under the validation layer, and fail if it reports anything
    #[arg(long)]
    pub validate: bool,

    /// Say how long each step took, from the start to the first picture
    #[arg(long)]
    pub timings: bool,

    /// Say what was ignored, repaired or approximated in each file, and which device draws
    #[arg(short, long)]
    pub verbose: bool,

    /// Say nothing but what went wrong
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// From where.
#[derive(Args, Debug, Clone, Default, PartialEq)]
#[command(next_help_heading = "Camera")]
pub struct CameraArguments {
    /// A camera of the file: its number, as inspect shows it, or the name of its node or its own
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice, allow_negative_numbers = true)]
    pub camera: Option<Choice>,

    /// Degrees around the model to the right, from its front (+Z) [default: 30]
    #[arg(long, value_name = "DEG", value_parser = finite, allow_negative_numbers = true, conflicts_with_all = ["camera", "eye"])]
    pub yaw: Option<f32>,

    /// Degrees above the model's middle [default: 20]
    #[arg(long, value_name = "DEG", value_parser = pitch, allow_negative_numbers = true, conflicts_with_all = ["camera", "eye"])]
    pub pitch: Option<f32>,

    /// Distance from the model's middle in radii of the sphere around it [default: so that all of it is seen]
    ///
    /// Of a sequence, the middle and the sphere are those of the box around all of its poses, so that the camera stands still.
    #[arg(long, value_name = "RADII", value_parser = above_zero, allow_negative_numbers = true, conflicts_with_all = ["camera", "eye"])]
    pub distance: Option<f32>,

    /// Where the camera is, in meters
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, conflicts_with = "camera")]
    pub eye: Option<Vec3>,

    /// What it looks at, in meters [default: the model's middle]
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, requires = "eye")]
    pub target: Option<Vec3>,

    /// What is upward in the picture [default: 0,1,0]
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, requires = "eye")]
    pub up: Option<Vec3>,

    /// Vertical field of view in degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = field_of_view, allow_negative_numbers = true, conflicts_with_all = ["camera", "ortho"])]
    pub fovy: Option<f32>,

    /// Half the width and height of a view without perspective, in meters
    #[arg(long, value_name = "XMAG,YMAG", value_parser = magnification, allow_hyphen_values = true, conflicts_with = "camera")]
    pub ortho: Option<Vec2>,

    /// Distance of the near plane in meters [default: as the model needs it]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true, conflicts_with = "camera")]
    pub near: Option<f32>,

    /// Distance of the far plane in meters, or inf [default: as the model needs it]
    #[arg(long, value_name = "M|inf", value_parser = far, allow_hyphen_values = true, conflicts_with = "camera")]
    pub far: Option<f32>,
}

/// When.
#[derive(Args, Debug, Clone, PartialEq)]
#[command(next_help_heading = "Animation")]
pub struct MotionArguments {
    /// A clip to play, by number or name, all, or none; may be repeated, and all play at once [default: the first]
    #[arg(long, value_name = "INDEX|NAME|all|none", value_parser = choice, allow_negative_numbers = true)]
    pub clip: Vec<Choice>,

    /// Seconds since the start of the clips, at the first picture
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds, allow_negative_numbers = true)]
    pub time: f64,

    /// What happens at the end of a clip: it stays there, or begins again by its own length. With once, .gif and .apng play
    /// once too (not a turntable)
    #[arg(long = "loop", value_name = "MODE", value_enum, default_value_t)]
    pub repeats: Repeats,

    /// How many pictures [default: 1; .gif and .apng: the longest clip that plays; a turntable: 60]
    ///
    /// Without a number, .gif and .apng divide the clip evenly, at about the pace of --fps, so that a loop goes on without a
    /// stumble; with --loop once the end of the clip is a picture too. N pictures are just as far apart as --fps says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    pub frames: Option<u32>,

    /// Pictures a second; a .gif has at most 50, as browsers slow faster ones down
    #[arg(long, value_name = "N", default_value = "30", value_parser = frame_rate, allow_negative_numbers = true)]
    pub fps: f64,

    /// Go once around the model within the sequence
    #[arg(long, conflicts_with = "camera")]
    pub turntable: bool,
}

/// Straight above and below the picture would have no upward direction.
fn pitch(text: &str) -> Result<f32, String> {
    let number = finite(text).ok().filter(|degrees| degrees.abs() <= 89.9);
    number.ok_or_else(|| "write degrees from -89.9 to 89.9".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory as _, Parser};
    use fire_engine::animation::LoopMode;
    use fire_engine::vulkan::ViewMode;

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        render: RenderArguments,
    }

    fn parsed(arguments: &[&str]) -> Result<RenderArguments, clap::Error> {
        Line::try_parse_from([&["render"], arguments].concat()).map(|line| line.render)
    }

    #[test]
    fn the_declaration_is_consistent() {
        Line::command().debug_assert();
    }

    #[test]
    fn a_model_and_an_output_are_enough() {
        let arguments = parsed(&["a.glb", "-o", "a.png"]).unwrap();
        assert_eq!(arguments.models, [PathBuf::from("a.glb")]);
        assert_eq!(arguments.output, Some("a.png".into()));
        assert_eq!(arguments.size, Size { width: 800, height: 600 });
        assert_eq!((arguments.samples, arguments.anisotropy), (1, 1.0));
        assert_eq!((arguments.motion.time, arguments.motion.fps, arguments.motion.frames), (0.0, 30.0, None));
        assert_eq!(LoopMode::from(arguments.motion.repeats), LoopMode::Forever);
        assert_eq!(ViewMode::from(arguments.mode), ViewMode::BaseColor);
        assert_eq!(arguments.background[3], 1.0);
        assert!(parsed(&["a.glb"]).is_err() && parsed(&["-o", "a.png"]).is_err());
        assert!(parsed(&["a.glb", "--contact-sheet", "all.png"]).is_ok());
    }

    #[test]
    fn an_exact_camera_can_be_said() {
        let arguments = parsed(&[
            "a.glb",
            "-o",
            "a.png",
            "--eye",
            "-1,2,3",
            "--target",
            "0,-1,0",
            "--up=0,0,-1",
            "--fovy",
            "40",
            "--near",
            "0.5",
            "--far",
            "inf",
        ]);
        let expected = CameraArguments {
            eye: Some(Vec3::new(-1.0, 2.0, 3.0)),
            target: Some(Vec3::new(0.0, -1.0, 0.0)),
            up: Some(Vec3::new(0.0, 0.0, -1.0)),
            fovy: Some(40.0),
            near: Some(0.5),
            far: Some(f32::INFINITY),
            ..CameraArguments::default()
        };
        assert_eq!(arguments.unwrap().camera, expected);
        let arguments =
            parsed(&["a.glb", "-o", "a.png", "--yaw", "-45", "--pitch", "-10", "--ortho", "2,1"]).unwrap();
        assert_eq!((arguments.camera.yaw, arguments.camera.pitch), (Some(-45.0), Some(-10.0)));
        assert_eq!(arguments.camera.ortho, Some(Vec2::new(2.0, 1.0)));
    }

    #[test]
    fn what_is_wrong_with_a_negative_number_is_said() {
        for (option, value, wanted) in [
            ("--time", "-1", "0 or more"),
            ("--distance", "-1", "above 0"),
            ("--fovy", "-20.5", "above 0"),
            ("--ortho", "-100,100", "above 0"),
            ("--far", "-inf", "above 0"),
            ("--fps", "-3", "above 0"),
            ("--size", "-1x1", "from 1 to 16384"),
            ("--samples", "-4", "1, 2, 4 or 8"),
            ("--anisotropy", "-2", "1 or more"),
            ("--frames", "-2", "not in 1..=1000000"),
            ("--jobs", "-2", "-2"),
        ] {
            let error = parsed(&["a.glb", "-o", "a.png", option, value]).unwrap_err().to_string();
            let is_said = error.contains("invalid value") && error.contains(option) && error.contains(wanted);
            assert!(is_said && !error.contains("unexpected"), "{option} {value}: {error}");
        }
        assert_eq!(parsed(&["a.glb", "-o", "a.png", "--near", "-1"]).unwrap().camera.near, Some(-1.0));
        let clips = parsed(&["a.glb", "-o", "a.png", "--clip", "-1"]).unwrap().motion.clip;
        assert_eq!(clips[0].text(), "-1");
    }

    #[test]
    fn clips_are_repeated_and_models_are_many() {
        let arguments = parsed(&[
            "a.glb",
            "b.glb",
            "-o",
            "{name}.png",
            "--clip",
            "0",
            "--clip",
            "Walk",
            "--loop",
            "once",
        ])
        .unwrap();
        let clips: Vec<&str> = arguments.motion.clip.iter().map(Choice::text).collect();
        assert_eq!((clips.as_slice(), arguments.models.len()), (&["0", "Walk"][..], 2));
        assert_eq!(LoopMode::from(arguments.motion.repeats), LoopMode::Once);
    }

    #[test]
    fn what_contradicts_itself_or_is_not_known_is_refused() {
        for bad in [
            &["--camera", "0", "--yaw", "1"][..],
            &["--camera", "0", "--eye", "1,2,3"],
            &["--camera", "0", "--fovy", "40"],
            &["--camera", "0", "--turntable"],
            &["--eye", "1,2,3", "--distance", "2"],
            &["--target", "1,2,3"],
            &["--up", "0,1,0"],
            &["--ortho", "1,1", "--fovy", "40"],
            &["--pitch", "90"],
            &["--samples", "3"],
            &["--samples", "16"],
            &["--mode", "lit"],
            &["--loop", "twice"],
            &["--frames", "0"],
            &["--jobs", "0"],
            &["--columns", "3"],
            &["--labels"],
            &["-v", "-q"],
            &["--size", "8"],
        ] {
            assert!(parsed(&[&["a.glb", "-o", "a.png"], bad].concat()).is_err(), "{bad:?}");
        }
    }
}
