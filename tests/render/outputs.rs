//! What pictures never replace, and what stays when they do not come to be.

use crate::Test;
use crate::program::{ended, ends, files, own, render, triangles};
use crate::support::check;
use crate::support::process::{Running, empty_folder, poll};
use libtest_mimic::Failed;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

pub const WITHOUT_DRIVER: &[Test] = &[
    ("what_a_model_is_read_from_is_no_output", what_a_model_is_read_from),
    #[cfg(unix)]
    ("what_a_link_leads_to_is_no_output_either", what_a_link_leads_to),
    ("as_many_frames_as_can_be_asked_for_take_no_time_to_check", many_frames),
    ("the_contact_sheet_is_none_of_the_pictures_under_any_name", the_contact_sheet_is_no_picture),
];

pub const WITH_DRIVER: &[Test] = &[
    ("older_pictures_beside_the_models_are_drawn_anew", older_pictures),
    ("a_run_that_is_killed_leaves_the_old_file", a_run_that_is_killed),
    #[cfg(target_os = "linux")]
    ("a_run_that_is_told_to_end_leaves_nothing_besides", a_run_that_is_told_to_end),
    ("a_picture_that_cannot_be_written_leaves_nothing", a_picture_that_cannot_be_written),
    #[cfg(target_os = "linux")]
    ("a_pipe_is_written_to", a_pipe_is_written_to),
];

/// Ends with 2 and one line before a device is looked for.
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) -> Result<(), Failed> {
    let mut command = render(folder, arguments);
    let ended = ended(without_driver(&mut command))?;
    let is_refused = ended.code == Some(2) && ended.stderr.lines().count() == 1;
    check(is_refused && parts.iter().all(|part| ended.stderr.contains(part)), || {
        format!("{arguments:?}, {parts:?}: {ended:?}")
    })
}

fn without_driver(command: &mut Command) -> &mut Command {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(variable, "/nonexistent/driver.json");
    }
    command.env_remove("VK_ADD_DRIVER_FILES")
}

/// A model `name.gltf` with a texture.
fn textured(folder: &Path, name: &str, texture: &str) -> Result<(), Failed> {
    let model = serde_json::json!({"asset": {"version": "2.0"}, "images": [{"uri": texture}]});
    std::fs::write(folder.join(name), model.to_string())?;
    Ok(())
}

fn what_a_model_is_read_from() -> Result<(), Failed> {
    let folder = empty_folder("render_inputs");
    let inputs = ["Logo.png", "f_0002.png", "a b.png", "Model.png", "late/Logo.gif"];
    std::fs::create_dir_all(folder.join("late/deep"))?;
    for (index, input) in inputs.iter().enumerate() {
        std::fs::write(folder.join(input), format!("input {index}"))?;
    }
    textured(&folder, "Logo.gltf", "Logo.png")?;
    textured(&folder, "frames.gltf", "f_0002.png")?;
    textured(&folder, "escaped.gltf", "a%20b.png")?;
    // Under its own name, and read after the first picture would be written.
    textured(&folder, "Model.png", "absent.png")?;
    textured(&folder, "late/other.gltf", "deep/../Logo.gif")?;
    let cases: [(&[&str], [&str; 2]); 8] = [
        (&["Logo.gltf", "-o", "{name}.png"], ["cannot write Logo.png", "Logo.gltf is read from it"]),
        (
            &["Logo.gltf", "-o", "x.png", "--contact-sheet", "late/../Logo.png"],
            ["Logo.png", "is read from it"],
        ),
        (&["frames.gltf", "-o", "f.png", "--frames", "3"], ["f_0002.png", "frames.gltf is read"]),
        (&["frames.gltf", "-o", "f.png", "--turntable"], ["f_0002.png", "frames.gltf is read"]),
        (&["escaped.gltf", "-o", "a b.png"], ["a b.png", "escaped.gltf is read"]),
        (&["Model.png", "-o", "{name}.png"], ["Model.png", "it is a model of this run"]),
        (
            &["Logo.gltf", "late/other.gltf", "-o", "late/{name}.gif"],
            ["late/Logo.gif", "late/other.gltf is read"],
        ),
        (&["Logo.gltf", "Model.png", "-o", "{name}.png"], ["Logo.png", "is read from it"]),
    ];
    for (arguments, parts) in cases {
        refused(&folder, arguments, &parts)?;
    }
    // Not so many frames that the texture is among them.
    let fewer =
        ended(without_driver(&mut render(&folder, &["frames.gltf", "-o", "f.png", "--frames", "2"])))?;
    check(fewer.code == Some(3), || format!("{fewer:?}"))?;
    for (index, input) in inputs.iter().enumerate().filter(|(_, input)| **input != "Model.png") {
        let kept = std::fs::read_to_string(folder.join(input))?;
        check(kept == format!("input {index}"), || format!("{input} has changed"))?;
    }
    check(!folder.join("x.png").exists(), || "a picture was written before".to_owned())
}

#[cfg(unix)]
fn what_a_link_leads_to() -> Result<(), Failed> {
    use std::os::unix::fs::symlink;
    let folder = empty_folder("render_input_links");
    std::fs::create_dir(folder.join("models"))?;
    std::fs::write(folder.join("models/texture.png"), "texture")?;
    textured(&folder.join("models"), "a.gltf", "texture.png")?;
    symlink("models/texture.png", folder.join("out.png"))?;
    symlink("models", folder.join("others"))?;
    symlink("models/texture.png", folder.join("f_0001.png"))?;
    for output in [&["-o", "out.png"][..], &["-o", "others/texture.png"], &["-o", "f.png", "--frames", "2"]] {
        refused(&folder, &[&["models/a.gltf"], output].concat(), &["models/a.gltf is read from it"])?;
    }
    Ok(())
}

/// What is checked are the files that are there, not the names that there could be.
fn many_frames() -> Result<(), Failed> {
    let folder = empty_folder("render_many_frames");
    std::fs::create_dir_all(folder.join("deep/F0123456"))?;
    let inputs = ["f_999999.png", "deep/F0123456/texture.png"];
    for input in inputs {
        std::fs::write(folder.join(input), "texture")?;
    }
    textured(&folder, "last.gltf", inputs[0])?;
    textured(&folder, "deep.gltf", inputs[1])?;
    let last = ["--frames", "1000000"];
    let deep = ["deep.gltf", "-o", "deep/F0{frame}/texture.png"];
    std::fs::create_dir_all(folder.join("deep/F00000"))?;
    refused(&folder, &[&["last.gltf", "-o", "f.png"], &last[..]].concat(), &["last.gltf is read from it"])?;
    refused(&folder, &[&deep[..], &last].concat(), &["deep.gltf is read from it"])?;
    let sheet = ["a.glb", "-o", "o.png", "--contact-sheet", "o_999999.png"];
    refused(&folder, &[&sheet[..], &last].concat(), &["the same file"])?;
    // One frame after another that was asked for takes minutes.
    let models: Vec<String> = (0..50).map(|index| format!("{index}.glb")).collect();
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let arguments = [&models[..], &["-o", "{name}.png", "--contact-sheet", "s.png"], &last].concat();
    let start = Instant::now();
    let begun = ended(without_driver(&mut render(&folder, &arguments)))?;
    let took = start.elapsed();
    check(begun.code == Some(3) && took < Duration::from_secs(30), || format!("{took:?} {begun:?}"))
}

fn the_contact_sheet_is_no_picture() -> Result<(), Failed> {
    let folder = empty_folder("render_same_file");
    std::fs::create_dir(folder.join("sub"))?;
    for (output, sheet) in [
        (&["-o", "o.png", "--frames", "5"][..], "o_0003.png"),
        (&["-o", "o.png", "--turntable"], "o_0059.png"),
        (&["-o", "s.png"], "./s.png"),
        (&["-o", "sub/../s.png"], "s.png"),
        (&["-o", "{name}.png"], "b.png"),
    ] {
        let models = if output[1] == "{name}.png" { &["a.glb", "b.glb"][..] } else { &["a.glb"] };
        let arguments = [models, output, &["--contact-sheet", sheet]].concat();
        refused(&folder, &arguments, &["--contact-sheet", sheet, "the same file"])?;
    }
    // One past the last is another file.
    let other = ["a.glb", "-o", "o.png", "--frames", "5", "--contact-sheet", "o_0005.png"];
    let other = ended(without_driver(&mut render(&folder, &other)))?;
    check(other.code == Some(3), || format!("{other:?}"))
}

fn older_pictures() -> Result<(), Failed> {
    let folder = empty_folder("render_older");
    triangles(&folder.join("a.gltf"), &[[1.0, 0.0, 0.0]])?;
    let arguments = ["a.gltf", "-o", "{name}.png", "--contact-sheet", "sheet.png", "--size", "16x16", "-q"];
    std::fs::write(folder.join("a.png"), "older")?;
    std::fs::write(folder.join("sheet.png"), "older")?;
    for _ in 0..2 {
        ends(0, &folder, &arguments)?;
    }
    check(files(&folder) == ["a.gltf", "a.png", "sheet.png", "triangles.bin"], || {
        format!("{:?}", files(&folder))
    })?;
    check(crate::program::open(&folder.join("a.png"))?.width() == 16, || "it is not new".to_owned())
}

/// The bytes of what is being written beside its name, if there is something.
fn part(folder: &Path) -> Option<u64> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut parts = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
    parts.next()?.metadata().ok().map(|part| part.len())
}

fn a_run_that_is_killed() -> Result<(), Failed> {
    let folder = empty_folder("render_killed");
    let logs = empty_folder("render_killed.logs");
    for ending in ["gif", "apng"] {
        let name = format!("a.{ending}");
        std::fs::write(folder.join(&name), "old")?;
        let arguments = [&*own("LetterCube"), "-o", &name, "--frames", "1000000", "--size", "64x64"];
        let running = Running::start(&mut render(&folder, &arguments), &logs);
        // Some pictures are on the disk by now.
        let wrote = poll(60, || part(&folder).filter(|bytes| *bytes > 20_000));
        drop(running);
        check(wrote.is_some(), || format!("nothing is written: {:?}", files(&folder)))?;
        check(std::fs::read_to_string(folder.join(&name))? == "old", || format!("{name} has changed"))?;
        for part in files(&folder).iter().filter(|name| name.ends_with(".part")) {
            std::fs::remove_file(folder.join(part))?;
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn a_run_that_is_told_to_end() -> Result<(), Failed> {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, Stdio};
    struct Killed(Child);
    impl Drop for Killed {
        fn drop(&mut self) {
            let _has_ended = self.0.kill();
            let _reaped = self.0.wait();
        }
    }
    let folder = empty_folder("render_told_to_end");
    std::fs::write(folder.join("a.gif"), "old")?;
    let arguments = [&*own("LetterCube"), "-o", "a.gif", "--frames", "1000000", "--size", "64x64"];
    let plain = "exec \"$0\" \"$@\"";
    let deaf = "trap '' HUP; exec \"$0\" \"$@\"";
    for (shell, signals, ends_by) in [
        (plain, &["INT"][..], 2),
        (plain, &["TERM"], 15),
        (plain, &["HUP"], 1),
        (plain, &["QUIT"], 3),
        (deaf, &["HUP", "TERM"], 15),
    ] {
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", shell, env!("CARGO_BIN_EXE_fire-engine"), "render"]);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = Killed(command.spawn()?);
        for signal in signals {
            let begun = poll(60, || part(&folder).filter(|bytes| *bytes > 20_000));
            let bytes = begun.ok_or("nothing is written")?;
            let sent =
                Command::new("kill").args([&format!("-{signal}"), &child.0.id().to_string()]).status()?;
            check(sent.success(), || "no signal was sent".to_owned())?;
            if *signal != signals[signals.len() - 1] {
                // What is ignored stops nothing.
                let grown = poll(60, || part(&folder).filter(|now| *now > bytes + 20_000));
                check(grown.is_some(), || format!("SIG{signal} was not ignored"))?;
            }
        }
        let status = poll(60, || child.0.try_wait().ok().flatten()).ok_or("it goes on")?;
        check(status.signal() == Some(ends_by), || format!("{signals:?}: {status:?}"))?;
        check(files(&folder) == ["a.gif"], || format!("{signals:?}: {:?}", files(&folder)))?;
        check(std::fs::read_to_string(folder.join("a.gif"))? == "old", || "the old file changed".to_owned())?;
    }
    Ok(())
}

/// The second picture's name is that of a folder.
fn a_picture_that_cannot_be_written() -> Result<(), Failed> {
    let folder = empty_folder("render_half");
    std::fs::create_dir_all(folder.join("f_0001.png"))?;
    let arguments = [&*own("LetterCube"), "-o", "f.png", "--frames", "3", "--size", "16x16"];
    let ended = ends(1, &folder, &arguments)?;
    check(ended.stderr.contains("cannot write f_0001.png"), || format!("{ended:?}"))?;
    check(files(&folder) == ["f_0000.png", "f_0001.png"], || format!("{:?}", files(&folder)))
}

#[cfg(target_os = "linux")]
fn a_pipe_is_written_to() -> Result<(), Failed> {
    let folder = empty_folder("render_fifo");
    let made = Command::new("mkfifo").arg(folder.join("a.png")).status()?;
    check(made.success(), || "no pipe".to_owned())?;
    let pipe = folder.join("a.png");
    let reader = std::thread::spawn(move || std::fs::read(pipe));
    ends(0, &folder, &[&own("LetterCube"), "-o", "a.png", "--size", "16x16"])?;
    let read = reader.join().map_err(|_| "the reader failed")??;
    let picture = image::load_from_memory(&read).map_err(|error| error.to_string())?;
    check(picture.width() == 16 && files(&folder) == ["a.png"], || format!("{:?}", files(&folder)))
}
