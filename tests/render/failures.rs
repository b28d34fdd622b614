//! What cannot be done is said in one line, with an exit code that scripts can use.

use crate::Test;
use crate::program::{count, ended, ends, files, open, own, render, triangles};
use crate::support::check;
use crate::support::process::empty_folder;
use libtest_mimic::Failed;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

pub const WITHOUT_DRIVER: &[Test] = &[
    ("a_wrong_command_line_is_2_before_any_device", a_wrong_command_line_is_2),
    ("help_names_every_exit_code", help_names_every_exit_code),
    ("an_output_that_cannot_be_written_is_2", an_unwritable_output_is_2),
    ("without_a_driver_the_exit_code_is_3", without_a_driver),
];

pub const WITH_DRIVER: &[Test] = &[
    ("what_is_not_in_the_file_is_told_with_what_is", what_is_not_in_the_file),
    ("a_file_that_fails_is_one_line_and_the_others_are_drawn", a_file_that_fails),
    ("reports_are_counted_and_shown_when_asked_for", reports_are_not_lost),
    ("warnings_and_notes_are_counted_apart", warnings_and_notes),
    #[cfg(unix)]
    ("names_cannot_order_a_terminal_about", names_are_harmless),
    ("a_model_that_draws_nothing_is_told", a_model_that_draws_nothing),
    ("samples_that_the_device_lacks_are_refused_with_those_it_has", samples_of_the_device),
];

fn without_driver(command: &mut Command) -> &mut Command {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(variable, "/nonexistent/driver.json");
    }
    command.env_remove("VK_ADD_DRIVER_FILES")
}

fn a_wrong_command_line_is_2() -> Result<(), Failed> {
    let folder = empty_folder("render_usage");
    let bad: [(&[&str], &str); 23] = [
        (&[], "MODEL"),
        (&["a.glb"], "--output"),
        (&["a.glb", "-o", "a.jpg"], ".png, .apng or .gif"),
        (&["a.glb", "b.glb", "-o", "a.png"], "{name}"),
        (&["a/x.glb", "b/x.glb", "-o", "{name}.png"], "{index}"),
        (&["a.glb", "-o", "{nam}.png"], "{nam}"),
        (&["a.glb", "-o", "a.png", "--yaw", "east"], "--yaw"),
        (&["a.glb", "-o", "a.png", "--camera", "0", "--fovy", "3"], "--fovy"),
        (&["a.glb", "-o", "a.png", "--eye", "1,2,3", "--target", "1,2,3"], "--eye"),
        (&["a.glb", "-o", "a.png", "--yaw", "0", "--up", "0,0,1"], "--up: only a camera that --eye places"),
        (&["a.glb", "-o", "a.png", "--pitch", "1", "--target", "0,0,1"], "--target: only a camera"),
        (&["a.glb", "-o", "a.png", "--camera", "0", "--up", "0,0,1"], "--eye"),
        (&["a.glb", "-o", "a.png", "--near", "2", "--far", "1"], "far must be beyond near"),
        (&["a.glb", "-o", "a.png", "--near", "0"], "near must be above 0"),
        (&["a.glb", "--contact-sheet", "a.gif"], ".png"),
        (&["a.glb", "-o", "a.png", "--contact-sheet", "a.png"], "the same file"),
        (&["a.glb", "--contact-sheet", "a.png", "--size", "16384x16384", "--labels"], "too large"),
        (&["a.glb", "-o", "a.png", "--background", "blue"], "--background"),
        (&["a.glb", "-o", "a.png", "--no-such"], "--no-such"),
        (&["a.glb", "-o", "a.gif", "--fps", "60"], "at most 50 pictures a second"),
        (&["a.glb", "-o", "a.png", "--clip", "all", "--clip", "none"], "--clip none"),
        (&["a.glb", "-o", "a.png", "--time", "-1"], "0 or more"),
        (&["a.glb", "-o", "{{.png", "--near", "-1"], "near must be above 0"),
    ];
    for (arguments, named) in bad {
        // Without a driver: any attempt at drawing would show.
        let ended = ended(without_driver(&mut render(&folder, arguments)))?;
        check(ended.code == Some(2), || format!("exit code is not 2 for {arguments:?}: {ended:?}"))?;
        check(ended.stderr.contains(named), || format!("{arguments:?} is not named: {ended:?}"))?;
        check(ended.stdout.is_empty() && !ended.stderr.contains("Vulkan"), || format!("{ended:?}"))?;
    }
    check(files(&folder).is_empty(), || format!("{:?}", files(&folder)))
}

fn help_names_every_exit_code() -> Result<(), Failed> {
    let folder = empty_folder("render_help");
    let help = ends(0, &folder, &["--help"])?;
    for part in ["  0  ", "  1  ", "  2  ", "  3  ", "--turntable", "--contact-sheet", "--ortho", "{name}"] {
        check(help.stdout.contains(part), || format!("no {part:?} in {}", help.stdout))?;
    }
    Ok(())
}

fn an_unwritable_output_is_2() -> Result<(), Failed> {
    let folder = empty_folder("render_unwritable");
    for (output, reason) in
        [("no/such/a.png", "there is no folder no/such"), ("folder.png", "it is a folder")]
    {
        std::fs::create_dir_all(folder.join("folder.png"))?;
        let ended = ended(without_driver(&mut render(&folder, &[&own("LetterCube"), "-o", output])))?;
        check(ended.code == Some(2) && ended.stderr.contains(reason), || format!("{ended:?}"))?;
        check(ended.stderr.lines().count() == 1, || format!("not one line: {ended:?}"))?;
    }
    Ok(())
}

fn without_a_driver() -> Result<(), Failed> {
    let folder = empty_folder("render_no_driver");
    let ended = ended(without_driver(&mut render(&folder, &[&own("LetterCube"), "-o", "a.png"])))?;
    check(ended.code == Some(3) && ended.stderr.lines().count() == 1, || format!("{ended:?}"))?;
    check(ended.stderr.contains("mesa-vulkan-drivers"), || format!("no package: {ended:?}"))?;
    check(files(&folder).is_empty(), || format!("{:?}", files(&folder)))
}

fn what_is_not_in_the_file() -> Result<(), Failed> {
    let folder = empty_folder("render_unknown");
    let model = triangles(&folder.join("two.gltf"), &[[1.0; 3], [1.0; 3]])?;
    let model = model.to_str().ok_or("a path")?;
    for (option, asked, there) in [
        ("--clip", "walk", r#"no clip "walk"; there are: 0 "rise 0", 1 "rise 1""#),
        ("--clip", "2", r#"no clip "2"; there are: 0 "rise 0", 1 "rise 1""#),
        ("--camera", "back", r#"no camera "back"; there are: 0 "front" (camera "own")"#),
        ("--variant", "red", r#"no variant "red"; the file has no variant"#),
        ("--scene", "other", "other"),
        ("--scene", "1", "scenes 0"),
    ] {
        let ended = ends(1, &folder, &[model, "-o", "a.png", option, asked])?;
        check(ended.stderr.contains(there) && ended.stderr.contains("two.gltf"), || format!("{ended:?}"))?;
        check(ended.stderr.lines().count() == 1, || format!("not one line: {ended:?}"))?;
    }
    check(!folder.join("a.png").exists(), || "a file was left".to_owned())
}

fn a_file_that_fails() -> Result<(), Failed> {
    let folder = empty_folder("render_some_fail");
    std::fs::write(folder.join("broken.gltf"), "{")?;
    let (cube, hierarchy) = (own("LetterCube"), own("Hierarchy"));
    let arguments =
        ["broken.gltf", &cube, "absent.glb", &hierarchy, "-o", "{index}-{name}.png", "--size", "32x32", "-q"];
    let ended = ends(1, &folder, &arguments)?;
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let named = matches!(lines[..], [first, second] if first.contains("broken.gltf") && second.contains("absent.glb"));
    check(named, || format!("not a line for each of two files: {ended:?}"))?;
    let expected = ["1-LetterCube.png", "3-Hierarchy.png", "broken.gltf"];
    check(files(&folder) == expected, || format!("{:?}", files(&folder)))
}

fn reports_are_not_lost() -> Result<(), Failed> {
    let folder = empty_folder("render_reports");
    // Its material asks for lighting.
    let arguments = [&*own("LetterCube"), "-o", "a.png", "--size", "16x16"];
    let counted = ends(0, &folder, &arguments)?;
    check(counted.stderr.starts_with("1 warning and 1 note on 1 model; --verbose shows"), || {
        format!("{counted:?}")
    })?;
    let shown = ends(0, &folder, &[&arguments[..], &["-v"]].concat())?;
    check(shown.stderr.contains("LetterCube.gltf: ") && shown.stderr.contains("materials[0]"), || {
        format!("{shown:?}")
    })?;
    check(shown.stderr.contains("Device: "), || format!("{shown:?}"))?;
    let quiet = ends(0, &folder, &[&arguments[..], &["-q"]].concat())?;
    check(quiet.stderr.is_empty() && quiet.stdout.is_empty(), || format!("{quiet:?}"))
}

fn a_model_that_draws_nothing() -> Result<(), Failed> {
    let folder = empty_folder("render_nothing");
    std::fs::write(
        folder.join("empty.gltf"),
        r#"{"asset": {"version": "2.0"}, "scenes": [{}], "scene": 0}"#,
    )?;
    let arguments = ["empty.gltf", "-o", "a.png", "--size", "8x8", "--background", "102030"];
    let ended = ends(0, &folder, &arguments)?;
    check(ended.stderr == "empty.gltf: its scene draws nothing.\n", || format!("{ended:?}"))?;
    let picture = open(&folder.join("a.png"))?;
    check(count(&picture, [16, 32, 48, 255]) == 64, || "it is not the background".to_owned())
}

/// Rows are counted by what `inspect` calls them.
fn warnings_and_notes() -> Result<(), Failed> {
    let folder = empty_folder("render_warnings");
    let model = r#"{"asset": {"version": "2.0"}, "extensionsUsed": ["ACME_gizmo"]}"#;
    for name in ["a.gltf", "b.gltf"] {
        std::fs::write(folder.join(name), model)?;
    }
    let arguments = ["a.gltf", "b.gltf", &own("LetterCube"), "-o", "{name}.png", "--size", "8x8"];
    let ended = ends(0, &folder, &arguments)?;
    check(ended.stderr.contains("\n3 warnings and 1 note on 3 models; --verbose"), || format!("{ended:?}"))
}

/// What a user calls files and folders is data, too.
#[cfg(unix)]
fn names_are_harmless() -> Result<(), Failed> {
    let folder = empty_folder("render_names");
    let name = "a\u{1b}[31m\n\u{202e}";
    std::fs::copy(own("LetterCube"), folder.join(format!("{name}.gltf")))?;
    std::fs::write(folder.join("empty\u{1b}[m.gltf"), r#"{"asset": {"version": "2.0"}}"#)?;
    for file in files(Path::new(&own("LetterCube")).parent().ok_or("a folder")?) {
        let from = Path::new(&own("LetterCube")).with_file_name(&file);
        std::fs::copy(from, folder.join(&file))?;
    }
    let (model, sheet) = (format!("{name}.gltf"), format!("{name}-all.png"));
    let arguments = [&*model, "empty\u{1b}[m.gltf", "-o", "{name}.png", "--contact-sheet", &sheet];
    let drawn = ends(0, &folder, &[&arguments[..], &["--size", "8x8", "-v"]].concat())?;
    let frames = ends(0, &folder, &[&*model, "-o", &sheet, "--frames", "2", "--size", "8x8"])?;
    let refused = ends(2, &folder, &[&*model, "-o", "no\u{1b}[m/a.png"])?;
    for text in [&drawn.stdout, &drawn.stderr, &frames.stdout, &refused.stderr] {
        let order = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        check(order.is_none() && !text.is_empty(), || format!("{order:?} in {text:?}"))?;
    }
    check(drawn.stdout.lines().count() == 3 && frames.stdout.contains(" to "), || {
        format!("{drawn:?} {frames:?}")
    })
}

fn samples_of_the_device() -> Result<(), Failed> {
    let folder = empty_folder("render_samples");
    for samples in ["1", "2", "4", "8"] {
        let arguments = [&*own("LetterCube"), "-o", "a.png", "--size", "16x16", "--samples", samples];
        let ended = ended(&mut render(&folder, &arguments))?;
        let is_refused = ended.code == Some(3) && ended.stderr.contains("it can with 1");
        // Every device has 1 and 4.
        let is_right = ended.code == Some(0) || (is_refused && !["1", "4"].contains(&samples));
        check(is_right, || format!("{samples}: {ended:?}"))?;
    }
    Ok(())
}
