//! The small examples without a display: each writes a picture with something on it, under the validation layer.

mod support;

use image::RgbaImage;
use libtest_mimic::{Failed, Trial};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use support::example::built;
use support::picture::{colorful_part, open};
use support::process::{Ended, Running, empty_folder};
use support::{check, trial, validated_driver};

type Test = fn(&Example) -> Result<(), Failed>;

const TESTS: [(&str, Test); 5] = [
    ("headless_png", headless_png),
    ("many_instances", many_instances),
    ("procedural_scene", procedural_scene),
    ("crossfade", crossfade),
    ("custom_camera_input", custom_camera_input),
];

fn main() -> ExitCode {
    let driver = validated_driver();
    let test = |(name, test): (&'static str, Test)| -> Trial {
        let built = driver.clone().and_then(|()| built(name));
        let needs = built.as_ref().map(|_| ()).map_err(String::clone);
        trial(name, &needs, move || test(&Example { name, program: built? }))
    };
    support::run(TESTS.map(test).into()).exit_code()
}

struct Example {
    name: &'static str,
    program: PathBuf,
}

impl Example {
    /// Runs it without a display, in an empty folder, where it has to write `file` and nothing else.
    fn draws(&self, arguments: &[&str], file: &str) -> Result<(Ended, RgbaImage), Failed> {
        let folder = empty_folder(&format!("examples.{}", self.name));
        let mut command = Command::new(&self.program);
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            command.env_remove(variable);
        }
        command.current_dir(&folder).arg("--validate").args(arguments);
        let ended = Running::start(&mut command, &empty_folder("examples.logs")).end(120)?;
        check(ended.code == Some(0), || format!("{arguments:?}: {ended:?}"))?;
        check(ended.stdout.contains(&format!("Wrote {file}.\n")), || format!("{ended:?}"))?;
        let picture = open(&folder.join(file))?;
        let written = std::fs::read_dir(&folder)?.count();
        check(written == 1, || format!("{written} files are written"))?;
        Ok((ended, picture))
    }

    /// As [`draws`](Self::draws), in a loop of frames, which say that validation found nothing.
    fn shows(&self, arguments: &[&str]) -> Result<(String, RgbaImage), Failed> {
        let (ended, picture) = self.draws(arguments, &format!("{}.png", self.name))?;
        check(ended.stderr.contains("No window: there is no display"), || format!("{ended:?}"))?;
        check(ended.stdout.contains("Validation: 0 errors, 0 warnings."), || format!("{ended:?}"))?;
        Ok((ended.stdout, picture))
    }
}

/// At least this part of the picture is as colorful as no background is, and not all of it.
fn is_colorful(picture: &RgbaImage, least: f64) -> Result<(), Failed> {
    let part = colorful_part(picture);
    check((least..0.9).contains(&part), || format!("{part} of the picture is colorful"))
}

fn headless_png(example: &Example) -> Result<(), Failed> {
    let (_, start) = example.draws(&["--frames", "0"], "headless_png.png")?;
    is_colorful(&start, 0.1)?;
    let (_, later) = example.draws(&["--frames", "9", "--output", "later.png"], "later.png")?;
    check(later.dimensions() == (800, 600) && later != start, || "the cube does not turn".to_owned())?;
    let gem = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/Hierarchy/Hierarchy.gltf");
    let (_, other) = example.draws(&[gem], "headless_png.png")?;
    is_colorful(&other, 0.02)
}

fn many_instances(example: &Example) -> Result<(), Failed> {
    let (said, picture) = example.shows(&["--frames", "3", "--nodes", "400"])?;
    is_colorful(&picture, 0.1)?;
    for text in ["400 instances in 1 draw commands\n", "generation 1\n"] {
        check(said.contains(text), || format!("no {text:?} in {said}"))?;
    }
    let (_, later) = example.shows(&["--frames", "9", "--nodes", "400"])?;
    check(later != picture, || "nothing moves".to_owned())
}

fn procedural_scene(example: &Example) -> Result<(), Failed> {
    let (_, start) = example.shows(&["--frames", "1"])?;
    is_colorful(&start, 0.02)?;
    let (_, later) = example.shows(&["--frames", "30"])?;
    check(later != start, || "nothing moves".to_owned())
}

fn crossfade(example: &Example) -> Result<(), Failed> {
    let (said, start) = example.shows(&["--frames", "1"])?;
    is_colorful(&start, 0.02)?;
    check(!said.contains("fading"), || said)?;
    // 61 frames reach the second second, 4 s take 121.
    let (said, between) = example.shows(&["--frames", "75"])?;
    check(said.matches("fading to \"curl\"").count() == 1, || said)?;
    check(between != start, || "nothing moves".to_owned())?;
    let (said, _) = example.shows(&["--frames", "130"])?;
    check(said.contains("fading to \"sway\""), || said)
}

fn custom_camera_input(example: &Example) -> Result<(), Failed> {
    let (_, picture) = example.shows(&[])?;
    is_colorful(&picture, 0.05)
}
