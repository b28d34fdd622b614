//! Runs the program `fire-engine` as a user does: from an empty folder, without a display.

mod support;

use libtest_mimic::{Arguments, Failed};
use std::path::Path;
use std::process::{Command, ExitCode};
use support::picture::{colorful_part, open};
use support::process::{Ended, Running, empty_folder, poll};
use support::{Requirement, check, driver, trial, validated_driver};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (nothing, driver, validated) = (Ok(()), driver(), validated_driver());
    let winit: Requirement = match cfg!(feature = "winit") {
        true => driver.clone(),
        false => Err("built without the feature `winit`".to_owned()),
    };
    let linux: Requirement = match cfg!(target_os = "linux") {
        true => Ok(()),
        false => Err("libraries are replaced as Linux allows".to_owned()),
    };
    let linux_driver = linux.clone().and(driver.clone());
    let trials = vec![
        trial("bad_arguments_fail_before_any_device", &nothing, bad_arguments_fail_before_any_device),
        trial("help_and_version_are_successes", &nothing, help_and_version_are_successes),
        trial("a_missing_model_is_named", &nothing, a_missing_model_is_named),
        trial("a_missing_driver_is_one_line_with_a_package", &nothing, a_missing_driver_is_one_line),
        trial("a_missing_loader_is_one_line_with_a_package", &linux, a_missing_loader_is_one_line),
        trial("the_cube_is_drawn_from_an_empty_folder", &driver, the_cube_is_drawn_from_an_empty_folder),
        trial("one_frame_is_singular", &driver, one_frame_is_singular),
        trial("without_a_display_there_are_pictures", &driver, without_a_display_there_are_pictures),
        trial("an_unreachable_display_is_no_obstacle", &winit, an_unreachable_display_is_no_obstacle),
        trial("a_stale_wayland_display_is_no_obstacle", &winit, a_stale_wayland_display_is_no_obstacle),
        trial("the_last_frame_is_the_output", &driver, the_last_frame_is_the_output),
        trial("the_model_argument_is_drawn", &driver, the_model_argument_is_drawn),
        trial("an_output_that_cannot_be_written_is_named", &nothing, an_unwritable_output_is_named),
        trial("a_folder_that_cannot_be_made_is_named", &nothing, an_unwritable_folder_is_named),
        trial("a_run_that_fails_leaves_no_file", &nothing, a_run_that_fails_leaves_no_file),
        trial("without_the_layer_nothing_is_counted", &driver, without_the_layer_nothing_is_counted),
        trial("cameras_that_are_not_used_are_counted", &driver, unused_cameras_are_counted),
        trial("a_file_that_the_model_is_read_from_is_no_output", &nothing, an_input_is_no_output),
        trial("pictures_that_are_stopped_leave_no_part_of_one", &linux_driver, stopped_pictures),
        trial("validation_is_clean", &validated, validation_is_clean),
        trial("what_is_going_on_is_told_on_stderr_alone", &nothing, what_is_going_on_is_told_on_stderr_alone),
        trial("render_tells_of_the_device_on_stderr_alone", &driver, render_tells_on_stderr_alone),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The program in `folder`, without any display.
fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fire-engine"));
    command.current_dir(folder).args(arguments);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    command
}

fn without_driver(command: &mut Command) {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(variable, "/nonexistent/driver.json");
    }
    command.env_remove("VK_ADD_DRIVER_FILES");
}

fn ended(name: &str, command: &mut Command) -> Result<Ended, Failed> {
    Running::start(command, &empty_folder(&format!("{name}.logs"))).end(120)
}

fn succeeded(name: &str, command: &mut Command) -> Result<Ended, Failed> {
    let ended = ended(name, command)?;
    check(ended.code == Some(0), || format!("{ended:?}"))?;
    Ok(ended)
}

fn fails(code: i32, name: &str, command: &mut Command) -> Result<Ended, Failed> {
    let ended = ended(name, command)?;
    check(ended.code == Some(code), || format!("exit code is not {code}: {ended:?}"))?;
    Ok(ended)
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn bad_arguments_fail_before_any_device() -> Result<(), Failed> {
    let folder = empty_folder("bad_arguments");
    let bad: [(&[&str], &str); 18] = [
        (&["--frames", "0"], "--frames"),
        (&["--frames", "+1"], "--frames"),
        (&["--frames", "-1"], "'-1'"),
        (&["--frames", "1x"], "--frames"),
        (&["--frames", "18446744073709551616"], "--frames"),
        (&["--frames"], "--frames"),
        (&["--size", "800"], "--size"),
        (&["--size", "0x600"], "--size"),
        (&["--size", "100000x100000"], "each from 1 to 16384"),
        (&["--output", "a.jpg"], ".png"),
        (&["--output", "a"], ".png"),
        (&["--samples", "3"], "--samples"),
        (&["--unknown"], "--unknown"),
        (&["one.gltf", "two.gltf"], "two.gltf"),
        (&["one.gltf", "-o", "x.png"], "-o"),
        (&["help", "nope"], "nope"),
        (&["rendr", "one.gltf"], "rendr is neither a file nor a command; is `render` meant?"),
        (&["view", "--clip", "none", "--clip", "all"], "--clip none and --clip all"),
    ];
    for (arguments, named) in bad {
        // Neither a driver nor a display could be opened, so any attempt would show in the message.
        let mut command = program(&folder, arguments);
        without_driver(&mut command);
        command.env("DISPLAY", ":nowhere");
        let ended = ended("bad_arguments", &mut command)?;
        check(ended.code == Some(2), || format!("exit code is not 2: {ended:?}"))?;
        let (out, error) = (&ended.stdout, &ended.stderr);
        check(error.contains(named), || format!("{arguments:?} is not named: {error}"))?;
        check(out.is_empty() && !error.contains("Vulkan") && !error.contains("window"), || {
            format!("{arguments:?} got too far: {ended:?}")
        })?;
    }
    check(files(&folder).is_empty(), || format!("{:?}", files(&folder)))
}

fn help_and_version_are_successes() -> Result<(), Failed> {
    let folder = empty_folder("help");
    let help = succeeded("help", &mut program(&folder, &["--help"]))?;
    let view = succeeded("help", &mut program(&folder, &["view", "--help"]))?;
    for default in ["[default: 1280x800]", "[default: 4]"] {
        let both = help.stdout.contains(default) && view.stdout.contains(default);
        check(both, || format!("view has another {default}: {help:?}"))?;
    }
    for option in ["--headless", "--frames", "--recreate-every-frame", "--size", "--output", "--smoke"] {
        check(help.stdout.contains(option), || format!("{option} is not explained: {help:?}"))?;
    }
    let version = succeeded("help", &mut program(&folder, &["--version"]))?;
    check(version.stdout.contains(env!("CARGO_PKG_VERSION")), || format!("{version:?}"))
}

fn a_missing_model_is_named() -> Result<(), Failed> {
    let folder = empty_folder("missing_model");
    let mut command = program(&folder, &["--headless", "no/such.glb"]);
    without_driver(&mut command);
    let ended = fails(1, "missing_model", &mut command)?;
    check(ended.stderr.contains("no/such.glb") && ended.stderr.lines().count() == 1, || format!("{ended:?}"))
}

fn a_missing_driver_is_one_line() -> Result<(), Failed> {
    let folder = empty_folder("missing_driver");
    let mut command = program(&folder, &["--headless", "--frames", "1"]);
    without_driver(&mut command);
    let ended = fails(1, "missing_driver", &mut command)?;
    check(ended.stderr.lines().count() == 1, || format!("not one line: {ended:?}"))?;
    check(ended.stderr.contains("mesa-vulkan-drivers"), || format!("no package: {ended:?}"))?;
    check(files(&folder).is_empty(), || format!("{:?}", files(&folder)))
}

fn a_missing_loader_is_one_line() -> Result<(), Failed> {
    // A library that cannot be loaded is to the program as one that is not installed.
    let folder = empty_folder("missing_loader");
    for name in ["libvulkan.so.1", "libvulkan.so"] {
        std::fs::write(folder.join(name), "not a library")?;
    }
    let mut command = program(&folder, &["--headless", "--frames", "1", "--output", "one.png"]);
    let ended = fails(1, "missing_loader", command.env("LD_LIBRARY_PATH", &folder))?;
    check(ended.stderr.lines().count() == 1, || format!("not one line: {ended:?}"))?;
    check(ended.stderr.contains("libvulkan1"), || format!("no package: {ended:?}"))
}

fn the_cube_is_drawn_from_an_empty_folder() -> Result<(), Failed> {
    let folder = empty_folder("cube");
    let arguments = ["--headless", "--frames", "3", "--smoke", "--size", "320x240", "--output", "cube.png"];
    let ended = succeeded("cube", &mut program(&folder, &arguments))?;
    for part in ["Device: ", "Driver: ", "Presentation: headless, 320x240", "Presented 3 frames.\n"] {
        check(ended.stdout.contains(part), || format!("no {part:?} in {}", ended.stdout))?;
    }
    check(files(&folder) == ["cube.png"], || format!("{:?}", files(&folder)))?;
    let picture = open(&folder.join("cube.png"))?;
    check(picture.dimensions() == (320, 240), || format!("{:?}", picture.dimensions()))?;
    let part = colorful_part(&picture);
    check((0.15..0.6).contains(&part), || format!("{part} of the picture is as colorful as the cube"))?;
    let (corner, middle) = (picture.get_pixel(0, 0), picture.get_pixel(160, 120));
    check(corner != middle && corner.0[3] == 255, || format!("corner {corner:?}, middle {middle:?}"))
}

fn one_frame_is_singular() -> Result<(), Failed> {
    let folder = empty_folder("one_frame");
    let arguments = ["--headless", "--frames", "1", "--size", "16x16", "--output", "one.png"];
    let ended = succeeded("one_frame", &mut program(&folder, &arguments))?;
    check(ended.stdout.lines().any(|line| line == "Presented 1 frame."), || format!("{ended:?}"))
}

fn without_a_display_there_are_pictures() -> Result<(), Failed> {
    let folder = empty_folder("no_display");
    let ended =
        succeeded("no_display", &mut program(&folder, &["--frames", "2", "--size", "64x48", "--smoke"]))?;
    check(ended.stderr.contains("No window: "), || format!("it is not said: {ended:?}"))?;
    let expected = ["frame_0000.png", "frame_0001.png"];
    check(files(&folder.join("frames")) == expected, || format!("{:?}", files(&folder.join("frames"))))?;
    let [first, second] = expected.map(|name| open(&folder.join("frames").join(name)));
    check(first? != second?, || "the cube does not turn".to_owned())
}

fn an_unreachable_display_is_no_obstacle() -> Result<(), Failed> {
    let folder = empty_folder("unreachable");
    let mut command = program(&folder, &["--frames", "1", "--size", "64x48", "--output", "one.png"]);
    command.env("DISPLAY", ":64999");
    let ended = succeeded("unreachable", &mut command)?;
    check(ended.stderr.contains("No window: "), || format!("it is not said: {ended:?}"))?;
    check(!ended.stderr.contains(".rs:"), || format!("a place in the library's source: {ended:?}"))?;
    check(ended.stdout.contains("Presented 1 frame."), || format!("{ended:?}"))?;
    open(&folder.join("one.png")).map(drop)
}

fn a_stale_wayland_display_is_no_obstacle() -> Result<(), Failed> {
    let folder = empty_folder("stale_wayland");
    let mut command = program(&folder, &["--frames", "1", "--size", "64x48", "--output", "one.png"]);
    command.env("WAYLAND_DISPLAY", "wayland-stale").env("XDG_RUNTIME_DIR", &folder);
    let ended = succeeded("stale_wayland", &mut command)?;
    check(ended.stderr.contains("No window: ") && !ended.stderr.contains(".rs"), || format!("{ended:?}"))?;
    check(ended.stdout.contains("Presented 1 frame."), || format!("{ended:?}"))
}

fn the_last_frame_is_the_output() -> Result<(), Failed> {
    let folder = empty_folder("last_frame");
    let arguments =
        ["--headless", "--frames", "3", "--size", "64x48", "--output", "last.png", "--output-dir", "a/b"];
    succeeded("last_frame", &mut program(&folder, &arguments))?;
    let [first, last] = ["frame_0000.png", "frame_0002.png"].map(|name| open(&folder.join("a/b").join(name)));
    let (first, last, output) = (first?, last?, open(&folder.join("last.png"))?);
    check(output == last, || "the output differs from the last frame".to_owned())?;
    check(output != first, || "the frames do not differ".to_owned())
}

fn the_model_argument_is_drawn() -> Result<(), Failed> {
    let folder = empty_folder("model");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/Hierarchy/Hierarchy.gltf");
    let common = ["--headless", "--frames", "1", "--smoke", "--size", "64x48", "--output"];
    succeeded("model", &mut program(&folder, &[&common[..], &["cube.png"]].concat()))?;
    succeeded("model", &mut program(&folder, &[&common[..], &["model.png", model]].concat()))?;
    let (cube, model) = (open(&folder.join("cube.png"))?, open(&folder.join("model.png"))?);
    check(cube != model, || "the model looks like the cube".to_owned())?;
    let background = *model.get_pixel(0, 0);
    let drawn = model.pixels().filter(|pixel| **pixel != background).count();
    check(drawn > 50, || format!("only {drawn} pixels are drawn"))
}

fn an_unwritable_output_is_named() -> Result<(), Failed> {
    let folder = empty_folder("unwritable");
    std::fs::create_dir(folder.join("folder.png"))?;
    for (output, remedy) in [
        ("no/such/folder.png", "there is no folder no/such; create the folder or name another"),
        ("folder.png", "it is a folder; name a file in it"),
    ] {
        // Without a driver: it is found out before a device is looked for.
        let mut command = program(&folder, &["--headless", "--frames", "1", "--output", output]);
        without_driver(&mut command);
        let ended = fails(2, "unwritable", &mut command)?;
        check(ended.stderr == format!("fire-engine: cannot write {output}: {remedy}\n"), || {
            format!("{ended:?}")
        })?;
        check(ended.stdout.is_empty(), || format!("{ended:?}"))?;
    }
    Ok(())
}

fn an_unwritable_folder_is_named() -> Result<(), Failed> {
    let folder = empty_folder("unwritable_folder");
    // The default folder, and one that was asked for.
    std::fs::write(folder.join("frames"), "a file")?;
    for arguments in [&["--headless"][..], &["--headless", "--output-dir", "frames/all"]] {
        let mut command = program(&folder, arguments);
        without_driver(&mut command);
        let ended = fails(2, "unwritable_folder", &mut command)?;
        check(
            ended.stderr.contains("cannot write frames") && ended.stderr.contains("; name another"),
            || format!("{ended:?}"),
        )?;
        check(ended.stderr.lines().count() == 1, || format!("not one line: {ended:?}"))?;
    }
    Ok(())
}

fn an_input_is_no_output() -> Result<(), Failed> {
    let folder = empty_folder("input");
    let model = r#"{"asset": {"version": "2.0"}, "images": [{"uri": "frame_0001.png"}]}"#;
    std::fs::write(folder.join("model.gltf"), model)?;
    std::fs::write(folder.join("frame_0001.png"), "texture")?;
    for output in [["--output", "frame_0001.png"], ["--output-dir", "."]] {
        let mut command =
            program(&folder, &[&["model.gltf", "--headless", "--frames", "2"], &output[..]].concat());
        without_driver(&mut command);
        let ended = fails(2, "input", &mut command)?;
        check(ended.stderr.contains("model.gltf is read from it"), || format!("{ended:?}"))?;
    }
    check(std::fs::read_to_string(folder.join("frame_0001.png"))? == "texture", || "it changed".to_owned())?;
    // It does not matter how many there could be.
    let endless = ["model.gltf", "--headless", "--frames", "18446744073709551615", "--output-dir"];
    for (output, code, said) in [(".", 2, "model.gltf is read from it"), ("other", 1, "Vulkan")] {
        let mut command = program(&folder, &[&endless[..], &[output]].concat());
        without_driver(&mut command);
        let ended = fails(code, "input", &mut command)?;
        check(ended.stderr.contains(said), || format!("{ended:?}"))?;
    }
    Ok(())
}

/// Without a command, too.
fn stopped_pictures() -> Result<(), Failed> {
    let folder = empty_folder("stopped");
    let logs = empty_folder("stopped.logs");
    let has_part = || files(&folder).iter().any(|name| name.ends_with(".part"));
    let arguments = ["--headless", "--frames", "100000", "--size", "1500x1500", "--output-dir", "."];
    let child = Running::start(&mut program(&folder, &arguments), &logs);
    let id = child.id().to_string();
    let signal = |name: &str| {
        Command::new("kill").args([name, id.as_str()]).status().is_ok_and(|status| status.success())
    };
    // It stands still while a picture is half written.
    let half = poll(60, || {
        let caught = has_part() && signal("-STOP") && has_part();
        if !caught {
            signal("-CONT");
        }
        caught.then_some(())
    });
    let is_told = signal("-TERM") && signal("-CONT");
    check(half.is_some() && is_told, || format!("no picture was begun: {:?}", files(&folder)))?;
    let ended = child.end(60)?;
    check(ended.code.is_none(), || format!("it did not end by a signal: {ended:?}"))?;
    check(!has_part(), || format!("{:?}", files(&folder)))
}

fn a_run_that_fails_leaves_no_file() -> Result<(), Failed> {
    let folder = empty_folder("no_file");
    std::fs::write(folder.join("old.png"), "old")?;
    for output in ["new.png", "old.png"] {
        let mut command = program(&folder, &["--headless", "--output", output, "--output-dir", "a/b"]);
        without_driver(&mut command);
        let ended = fails(1, "no_file", &mut command)?;
        check(ended.stderr.contains("Vulkan"), || format!("{ended:?}"))?;
    }
    check(files(&folder) == ["old.png"], || format!("{:?}", files(&folder)))?;
    check(std::fs::read_to_string(folder.join("old.png"))? == "old", || "the old file changed".to_owned())
}

fn without_the_layer_nothing_is_counted() -> Result<(), Failed> {
    let folder = empty_folder("no_layer");
    let mut command = program(&folder, &["--headless", "--validate", "--frames", "1", "--output", "v.png"]);
    // An empty folder instead of those where layers are.
    command.env("VK_LAYER_PATH", &folder).env_remove("VK_ADD_LAYER_PATH");
    let ended = fails(1, "no_layer", &mut command)?;
    check(ended.stderr.contains("validation") && ended.stderr.lines().count() == 1, || format!("{ended:?}"))?;
    check(ended.stderr.contains("leave the option out") && !ended.stderr.contains("::"), || {
        format!("not for users: {ended:?}")
    })?;
    check(!ended.stdout.contains("Validation"), || format!("{ended:?}"))
}

fn unused_cameras_are_counted() -> Result<(), Failed> {
    let folder = empty_folder("cameras");
    let cameras = r#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"camera": 0}, {"camera": 0}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]}"#;
    std::fs::write(folder.join("cameras.gltf"), cameras)?;
    let arguments = ["--headless", "--frames", "1", "--size", "16x16", "--output", "one.png", "cameras.gltf"];
    let ended = succeeded("cameras", &mut program(&folder, &arguments))?;
    let note = "2 cameras in the file are not used; the view frames the content.";
    check(ended.stdout.lines().filter(|line| *line == note).count() == 1, || format!("{ended:?}"))
}

fn validation_is_clean() -> Result<(), Failed> {
    let folder = empty_folder("validation");
    let arguments = [
        "--headless",
        "--frames",
        "4",
        "--size",
        "64x48",
        "--samples",
        "4",
        "--validate",
        "--output",
        "v.png",
    ];
    let ended = succeeded("validation", &mut program(&folder, &arguments))?;
    check(ended.stdout.contains("Validation: 0 errors, 0 warnings."), || format!("{ended:?}"))
}

/// The built-in cube's files lie in the checkout.
const CUBE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf");

fn what_is_going_on_is_told_on_stderr_alone() -> Result<(), Failed> {
    let folder = empty_folder("log");
    let run = |arguments: &[&str]| succeeded("log", &mut program(&folder, arguments));
    let quiet = run(&["inspect", "--json", CUBE])?;
    check(quiet.stderr.is_empty(), || format!("{quiet:?}"))?;
    let info = run(&["inspect", "--json", CUBE, "--log", "info"])?;
    check(info.stdout == quiet.stdout, || format!("{info:?}"))?;
    let before = run(&["--log", "info", "inspect", "--json", CUBE])?;
    check(before.stdout == quiet.stdout && before.stderr.contains("loaded nodes="), || {
        format!("{before:?}")
    })?;
    let lines: Vec<_> = info.stderr.lines().collect();
    let is_end = |line: &&str| {
        line.contains(" INFO load{file=") && line.contains("loaded nodes=") && line.contains("meshes=1 ")
    };
    check(lines.len() == 1 && lines.iter().all(is_end), || format!("{info:?}"))?;

    let debug = run(&["inspect", "--json", CUBE, "--log=debug"])?;
    check(debug.stdout == quiet.stdout, || format!("{debug:?}"))?;
    for phase in ["Document", "Buffers", "Images", "Meshes", "Scene"] {
        let has = debug.stderr.contains(&format!("phase of a load done phase={phase} "));
        check(has, || format!("{phase}: {debug:?}"))?;
    }
    // A load that succeeds has nothing to warn of.
    check(run(&["inspect", CUBE, "--log", "warn"])?.stderr.is_empty(), || "a warning".to_owned())?;

    let loud = ended("log", &mut program(&folder, &["inspect", CUBE, "--log", "loud"]))?;
    check(loud.code == Some(2) && loud.stderr.contains("debug"), || format!("{loud:?}"))
}

fn render_tells_on_stderr_alone() -> Result<(), Failed> {
    let folder = empty_folder("render_log");
    // Raw pixels on standard output: 4 bytes a pixel, and not one more.
    let raw = ["render", CUBE, "-o", "-", "--size", "4x4", "--frames", "1", "--log", "trace"];
    let told = succeeded("render_log", &mut program(&folder, &raw))?;
    for part in
        ["device chosen", "prepared generation=1 meshes=1 ", "pipeline made", "frame submitted serial=1 "]
    {
        check(told.stderr.contains(part), || format!("no `{part}`: {}", told.stderr))?;
        check(!told.stdout.contains(part), || format!("`{part}` among the pixels"))?;
    }
    let bare =
        succeeded("render_log", &mut program(&folder, &["--headless", "--frames", "1", "--log", "info"]))?;
    check(bare.stderr.contains("device chosen") && !bare.stdout.contains("device chosen"), || {
        format!("{bare:?}")
    })
}
