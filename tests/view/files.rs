//! Other files: dropped on the window, changed while they are on show, broken.

use crate::Test;
use crate::drag_source::{Dropped, uri_list};
use crate::models::{copied, own, with_corners};
use crate::panel::{WIDE, shows_with_panel};
use crate::sight::{self, free, red_part};
use crate::support::desktop::Desktop;
use crate::support::process::{empty_folder, poll};
use crate::support::{check, picture};
use crate::viewer::{SIZE, Viewer, title_of};
use image::RgbaImage;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;

pub const TESTS: &[Test] = &[
    ("a_dropped_file_is_shown_in_place_of_the_old_one", dropped),
    ("a_dropped_file_that_is_broken_leaves_the_old_one", dropped_broken),
    ("models_of_the_command_line_come_round_by_keys", come_round),
    ("a_broken_model_of_many_is_passed_by", passes_broken),
    ("a_changed_file_is_loaded_again_with_camera_and_time", reloads),
    ("a_key_loads_again_what_is_not_watched", reloads_by_hand),
    ("a_file_that_is_broken_for_a_while_leaves_the_old_one", reloads_after_a_broken_write),
    ("a_changed_texture_is_loaded_again", reloads_textures),
];

/// Those that need neither screen nor device.
pub const PURE: &[Test] = &[("file_names_become_uris", file_names_become_uris)];

const STILL: &[&str] = &["--no-panel", "--paused", "--time", "0.5"];

fn file_names_become_uris() -> Result<(), Failed> {
    let list = uri_list(&[Path::new("/a/b-c_d.e~f"), Path::new("/with space/100%/ü#?.glb")]);
    let expected = "file:///a/b-c_d.e~f\r\nfile:///with%20space/100%25/%C3%BC%23%3F.glb\r\n";
    check(list == expected, || format!("{list:?}"))?;
    check(uri_list(&[]).is_empty(), || "nothing is something".to_owned())
}

fn dropped() -> Result<(), Failed> {
    // A name that has to be escaped on its way.
    let folder = empty_folder("view.drop.a model, 100% ü#");
    let other = copied("Hierarchy", &folder)?;
    let mut viewer = Viewer::open("drop", &own("LetterCube"), STILL)?;
    let cube = viewer.shows_a_model("cube")?;
    viewer.drag("1", (320, 240), (380, 240))?;
    let turned = viewer.shows_another("turned", &cube)?;
    check(viewer.drop_on(&[&other])? == Dropped::Taken, || "it is refused".to_owned())?;
    viewer.is_called(&title_of(&other))?;
    viewer.moves_on("hierarchy", &turned)?;
    viewer.press(&["space"])?;
    let hierarchy = viewer.shows_a_model("hierarchy_still")?;
    check(sight::has_clear_corners(&hierarchy), || "it is cut off".to_owned())?;

    // The first of the list is still on the list.
    viewer.press(&["Prior"])?;
    viewer.is_called("LetterCube.gltf - fire-engine")?;
    viewer.moves_on("cube_again", &hierarchy)?;
    // A document with its textures, as one selects all that is in its folder, and a further model after them.
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failed>>()?;
    // The document is none of the first.
    files.sort_by_key(|file| std::cmp::Reverse(file.clone()));
    check(files.len() > 2 && files[0] != other, || format!("{files:?}"))?;
    files.push(own("LetterCube"));
    let files: Vec<&Path> = files.iter().map(|file| &**file).collect();
    check(viewer.drop_on(&files)? == Dropped::Taken, || "they are refused".to_owned())?;
    viewer.is_called(&title_of(&other))?;
    viewer.press(&["Next"])?;
    viewer.is_called("LetterCube.gltf - fire-engine")?;
    // The folder instead of what is in it.
    check(viewer.drop_on(&[&folder])? == Dropped::Taken, || "it is refused".to_owned())?;
    viewer.is_called(&title_of(&other))?;
    viewer.goes_on()?;
    let ended = viewer.quit()?;
    check(ended.stderr.is_empty(), || format!("{ended:?}"))
}

fn dropped_broken() -> Result<(), Failed> {
    let folder = empty_folder("view.dropbroken.model");
    let [broken, text, empty] = ["broken.gltf", "notes.txt", "empty folder"].map(|name| folder.join(name));
    let cube = copied("LetterCube", &folder)?;
    let mut viewer = Viewer::open("dropbroken", &cube, WIDE)?;
    let before = shows_with_panel(&viewer, "before")?;
    // Beside the model that is on show and stays there.
    fs::write(&broken, r#"{"asset": {"version": "2.0"}, "meshes": [{"primitives": ["#)?;
    fs::write(&text, "not a model")?;
    fs::create_dir_all(&empty)?;
    for (file, name) in [(&text, "notes.txt"), (&empty, "empty folder"), (&broken, "broken.gltf")] {
        viewer.drop_on(&[file])?;
        viewer.has_complained(name)?;
        viewer.goes_on()?;
    }
    // The panel says it too.
    let after = viewer.shows("message", |now| sight::difference(now, &before) > 0.001)?;
    viewer.is_called("LetterCube.gltf - fire-engine")?;
    check(sight::same(&free(&before), &free(&after)), || "the model has changed".to_owned())?;
    viewer.stays("message_stays", &after)?;
    viewer.drag("1", (600, 300), (660, 300))?;
    viewer.shows("turned", |now| sight::different(&free(now), &free(&after)))?;
    // That the model on show changes meanwhile does not let the other one be forgotten.
    fs::write(&cube, fs::read(own("LetterCube"))?)?;
    std::thread::sleep(std::time::Duration::from_secs(1));
    fs::write(&broken, fs::read(own("LetterCube"))?)?;
    viewer.is_called("broken.gltf - fire-engine")?;
    let ended = viewer.quit()?;
    check(ended.stderr.lines().count() == 3, || format!("{ended:?}"))
}

fn come_round() -> Result<(), Failed> {
    let second = own("Hierarchy").to_string_lossy().into_owned();
    let viewer = Viewer::open("round", &own("LetterCube"), &[&[&*second], STILL].concat())?;
    let cube = viewer.shows_a_model("cube")?;
    for (key, name) in [("Next", "Hierarchy"), ("Next", "LetterCube"), ("Prior", "Hierarchy")] {
        viewer.press(&[key])?;
        viewer.is_called(&format!("{name}.gltf - fire-engine"))?;
    }
    viewer.moves_on("hierarchy", &cube)?;
    viewer.quit().map(drop)
}

fn passes_broken() -> Result<(), Failed> {
    let folder = empty_folder("view.among.model");
    let broken =
        ["broken.glb", "broken too.glb"].map(|name| folder.join(name).to_string_lossy().into_owned());
    for file in &broken {
        fs::write(file, "glTF")?;
    }
    let [one, two] = ["LetterCube", "Hierarchy"].map(|name| own(name).to_string_lossy().into_owned());
    let desktop = Desktop::new("view.among")?;
    let models: &[&str] = &[&broken[0], &one, &broken[1], &two];
    let viewer = Viewer::start(desktop, &[models, STILL].concat())?;
    viewer.has_complained("broken.glb")?;
    for (key, name) in
        [("Next", "LetterCube"), ("Next", ""), ("Next", "Hierarchy"), ("Prior", ""), ("Prior", "LetterCube")]
    {
        let complaints = viewer.complaints().lines().count();
        viewer.press(&[key])?;
        if name.is_empty() {
            let told = poll(20, || (viewer.complaints().lines().count() > complaints).then_some(()));
            check(told.is_some(), || format!("nothing is said: {:?}", viewer.complaints()))?;
        } else {
            viewer.is_called(&format!("{name}.gltf - fire-engine"))?;
        }
    }
    viewer.quit().map(drop)
}

const TEAL: [f32; 3] = [0.1, 0.21, 0.33];
const RED: [f32; 3] = [1.0, 0.0, 0.0];

fn same_outline(one: &RgbaImage, other: &RgbaImage) -> Result<(), Failed> {
    let off = sight::difference(&sight::outline(one), &sight::outline(other));
    check(off == 0.0, || format!("{:.3} % of the outline moved", 100.0 * off))
}

fn reloads() -> Result<(), Failed> {
    let folder = empty_folder("view.reload.model");
    let file = copied("Hierarchy", &folder)?;
    let viewer = Viewer::open("reload", &file, STILL)?;
    let first = viewer.shows_a_model("first")?;
    viewer.drag("1", (320, 240), (400, 270))?;
    viewer.press(&["period", "period", "period"])?;
    let before = viewer.shows_another("turned", &first)?;
    check(red_part(&before) < 0.001, || "it is red from the start".to_owned())?;

    fs::write(&file, with_corners(RED)?)?;
    let red = viewer.shows("red", |now| red_part(now) > 0.002)?;
    same_outline(&before, &red)?;
    // As most programs save: beside it, then in its place.
    fs::write(folder.join("new"), with_corners(TEAL)?)?;
    fs::rename(folder.join("new"), &file)?;
    viewer.shows_again("replaced", &before)?;
    fs::write(&file, with_corners(RED)?)?;
    viewer.shows_again("red_again", &red)?;
    let ended = viewer.quit()?;
    check(ended.stderr.is_empty(), || format!("{ended:?}"))
}

fn reloads_by_hand() -> Result<(), Failed> {
    let file = copied("Hierarchy", &empty_folder("view.byhand.model"))?;
    let viewer = Viewer::open("byhand", &file, &[STILL, &["--no-watch"]].concat())?;
    let before = viewer.shows_a_model("before")?;
    fs::write(&file, with_corners(RED)?)?;
    viewer.stays("unwatched", &before)?;
    viewer.press(&["F5"])?;
    let red = viewer.shows("by_hand", |now| red_part(now) > 0.002)?;
    same_outline(&before, &red)?;
    viewer.quit().map(drop)
}

fn reloads_after_a_broken_write() -> Result<(), Failed> {
    let file = copied("Hierarchy", &empty_folder("view.broken.model"))?;
    let mut viewer = Viewer::open("broken", &file, STILL)?;
    let first = viewer.shows_a_model("first")?;
    viewer.drag("1", (320, 240), (400, 270))?;
    let before = viewer.shows_another("turned", &first)?;
    let whole = with_corners(RED)?;
    fs::write(&file, &whole[..whole.len() / 2])?;
    viewer.has_complained("Hierarchy.gltf")?;
    // The model stays, and above it lies a message.
    let below = |picture: &RgbaImage| sight::part(picture, (0, 140), (SIZE.0, SIZE.1 - 140));
    let broken = viewer.shows("while_broken", |now| !sight::same(now, &before))?;
    check(sight::same(&below(&broken), &below(&before)), || "the model has changed".to_owned())?;
    fs::remove_file(&file)?;
    viewer.stays("while_gone", &broken)?;
    viewer.goes_on()?;
    fs::write(&file, &whole)?;
    let red = viewer.shows("whole", |now| red_part(now) > 0.002)?;
    same_outline(&before, &red)?;
    viewer.quit().map(drop)
}

fn reloads_textures() -> Result<(), Failed> {
    let folder = empty_folder("view.texture.model");
    let file = copied("LetterCube", &folder)?;
    let viewer = Viewer::open("texture", &file, STILL)?;
    let before = viewer.shows_a_model("before")?;
    let texture = folder.join("LetterCube_BaseColor.png");
    let mut image = picture::open(&texture)?;
    image::imageops::invert(&mut image);
    image.save(&texture).map_err(crate::support::failed)?;
    let after = viewer.shows_another("inverted", &before)?;
    same_outline(&before, &after)?;
    viewer.quit().map(drop)
}
