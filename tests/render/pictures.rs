//! Single pictures: cameras, backgrounds, modes, and those of other renderers.

use crate::Test;
use crate::program::{count, ends, own, picture, triangles};
use crate::support::check;
use crate::support::picture::Picture;
use crate::support::process::empty_folder;
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::Path;

pub const TESTS: &[Test] = &[
    ("the_same_bytes_each_time", the_same_bytes_each_time),
    ("an_exact_view_puts_edges_where_they_belong", an_exact_view),
    ("a_camera_of_the_file_is_used_by_number_or_name", a_camera_of_the_file),
    ("angles_turn_the_view", angles_turn_the_view),
    ("a_model_that_is_large_and_far_away_fills_the_picture", a_model_far_away),
    ("backgrounds_are_the_color_that_was_written", backgrounds),
    ("clips_are_chosen_by_number_and_name_and_play_at_once", clips_are_chosen),
    ("a_clip_loops_or_stays_at_its_end", a_clip_loops_or_stays),
    ("modes_show_other_things", modes_show_other_things),
    ("samples_smooth_edges", samples_smooth_edges),
    ("timings_name_every_step", timings_name_every_step),
];

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];

/// A command line for a shot of the reference images' manifest, and the picture that comes of it.
pub fn of_shot(model: &Path, shot: &Value) -> Result<Picture, Failed> {
    let folder = empty_folder("render_shot");
    let number = |value: &Value| value.as_f64().map(|number| number.to_string()).unwrap_or_default();
    let joined =
        |value: &Value| value.as_array().into_iter().flatten().map(number).collect::<Vec<_>>().join(",");
    let camera = &shot["camera"];
    let color: Vec<String> = shot["clear"]["srgb8"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|channel| format!("{:02x}", channel.as_u64().unwrap_or_default()))
        .collect();
    let mut arguments = vec![model.display().to_string()];
    let mut add = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
    add("--output", "shot.png".to_owned());
    add("--size", format!("{}x{}", shot["size"][0], shot["size"][1]));
    for name in ["eye", "target", "up"] {
        add(&format!("--{name}"), joined(&camera[name]));
    }
    match camera["type"].as_str() {
        Some("perspective") => add("--fovy", number(&camera["fovy"])),
        _ => add("--ortho", format!("{},{}", number(&camera["xmag"]), number(&camera["ymag"]))),
    }
    add("--near", number(&camera["near"]));
    add("--far", number(&camera["far"]));
    add("--time", number(&shot["time"]));
    add("--loop", if shot["loop"] == false { "once" } else { "repeat" }.to_owned());
    add("--background", color.concat());
    add("--samples", if shot["antialias"] == "msaa4" { "4" } else { "1" }.to_owned());
    match shot["clips"].as_array().map(Vec::as_slice) {
        None => add("--clip", "all".to_owned()),
        Some([]) => add("--clip", "none".to_owned()),
        Some(clips) => clips.iter().for_each(|clip| add("--clip", number(clip))),
    }
    arguments.extend(["--validate", "--quiet"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    ends(0, &folder, &arguments)?;
    Picture::load(&folder.join("shot.png"))
}

fn the_same_bytes_each_time() -> Result<(), Failed> {
    let folder = empty_folder("render_same");
    let model = own("LetterCube");
    for ending in ["png", "gif", "apng"] {
        let names = [format!("first.{ending}"), format!("second.{ending}")];
        for name in &names {
            ends(0, &folder, &[&model, "-o", name, "--size", "64x48", "--frames", "1", "--time", "0.4"])?;
        }
        let [first, second] = names.map(|name| std::fs::read(folder.join(name)));
        check(first? == second?, || format!("two runs gave different {ending} files"))?;
    }
    Ok(())
}

/// The triangle (-1,-1), (1,-1), (0,1) seen 4 m wide and 3 m high in 64x48 pixels: 16 pixels a meter.
fn an_exact_view() -> Result<(), Failed> {
    let folder = empty_folder("render_exact");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let common = [model, "--background", "000000", "--eye", "0,0,5", "--target", "0,0,0"];
    let flat = picture(&folder, &[&common[..], &["--ortho", "2,1.5", "--near", "1", "--far", "9"]].concat())?;
    // Half of 32 x 32 pixels, its base on row 40 from the top.
    let area = count(&flat, RED);
    check((496..=528).contains(&area), || format!("{area} pixels are red"))?;
    let at = |x, y| flat.get_pixel(x, y).0;
    check(at(32, 38) == RED && at(32, 12) == RED && at(18, 38) == RED, || {
        "the inside is not red".to_owned()
    })?;
    check(at(32, 42) != RED && at(32, 6) != RED && at(18, 12) != RED, || "the outside is red".to_owned())?;
    // With perspective: 2 atan(1.5 / 5) high, the same at a distance of 5 m.
    let fovy = (2.0 * (1.5_f64 / 5.0).atan().to_degrees()).to_string();
    let deep = picture(&folder, &[&common[..], &["--fovy", &fovy]].concat())?;
    let area = count(&deep, RED);
    check((490..=534).contains(&area), || format!("{area} pixels are red with perspective"))?;
    // Upside down, the point is below.
    let turned = picture(&folder, &[&common[..], &["--up", "0,-1,0", "--ortho", "2,1.5"]].concat())?;
    check(turned.get_pixel(32, 38).0 == RED && turned.get_pixel(18, 38).0 != RED, || "not turned".to_owned())
}

fn a_camera_of_the_file() -> Result<(), Failed> {
    let folder = empty_folder("render_camera");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let [by_number, by_node, by_own] =
        ["0", "front", "own"].map(|camera| picture(&folder, &[model, "--camera", camera]));
    let by_number = by_number?;
    let is_same = by_number == by_node? && by_number == by_own?;
    check(is_same, || "the number and the names are several cameras".to_owned())?;
    // Its view, 2 x 2 m, is the height of the picture and grows to the sides: half of 48 x 48 pixels.
    let area = count(&by_number, RED);
    check((1128..=1176).contains(&area), || format!("{area} pixels are red"))
}

fn angles_turn_the_view() -> Result<(), Failed> {
    let folder = empty_folder("render_angles");
    let model = own("LetterCube");
    let at = |yaw: &str, pitch: &str| picture(&folder, &[&model, "--yaw", yaw, "--pitch", pitch]);
    let (front, side, above) = (at("0", "0")?, at("90", "0")?, at("0", "80")?);
    check(front != side && front != above && side != above, || "two views are the same".to_owned())?;
    check(at("360", "0")? == front, || "once around is not where it began".to_owned())?;
    let far = picture(&folder, &[&model, "--yaw", "0", "--pitch", "0", "--distance", "20"])?;
    let background = far.get_pixel(0, 0).0;
    let (near, far) = (3072 - count(&front, background), 3072 - count(&far, background));
    check(far * 4 < near && far > 0, || format!("{near} pixels near, {far} far away"))
}

fn a_model_far_away() -> Result<(), Failed> {
    let folder = empty_folder("render_far");
    // Triangles in a row of 29 m, its middle 13.5 m away from the origin.
    let model = triangles(&folder.join("row.gltf"), &[[1.0, 0.0, 0.0]; 10])?;
    let model = model.to_str().ok_or("a path")?;
    let row = picture(&folder, &[model, "--yaw", "0", "--pitch", "0", "--background", "000000"])?;
    let columns: Vec<u32> = (0..64).filter(|&x| (0..48).any(|y| row.get_pixel(x, y).0[0] > 0)).collect();
    let from_to = (columns.first().copied(), columns.last().copied());
    check(matches!(from_to, (Some(1..5), Some(59..63))), || format!("the model is in columns {from_to:?}"))
}

fn backgrounds() -> Result<(), Failed> {
    let folder = empty_folder("render_background");
    let model = own("LetterCube");
    for (written, expected) in [
        ("304050", [48, 64, 80, 255]),
        ("#ffFFff", [255; 4]),
        ("010203", [1, 2, 3, 255]),
        ("transparent", [0; 4]),
    ] {
        let picture = picture(&folder, &[&model, "--background", written])?;
        check(picture.get_pixel(0, 0).0 == expected, || {
            format!("{written} became {:?}", picture.get_pixel(0, 0))
        })?;
        check(picture.get_pixel(32, 24).0[3] == 255, || "the cube is transparent".to_owned())?;
    }
    Ok(())
}

/// Two triangles side by side, each of which a clip carries up by 1 m in a second.
fn clips_are_chosen() -> Result<(), Failed> {
    let folder = empty_folder("render_clips");
    let model = triangles(&folder.join("two.gltf"), &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let view = [
        "--eye",
        "1.5,0,5",
        "--target",
        "1.5,0,0",
        "--ortho",
        "4,3",
        "--background",
        "000000",
        "--time",
        "1",
    ];
    // 8 pixels a meter; row 24 is y = 0. The base of a triangle at rest is on row 32, carried up on row 24.
    let base = |clips: &[&str]| -> Result<[Option<u32>; 2], Failed> {
        let clips: Vec<&str> = clips.iter().flat_map(|clip| ["--clip", clip]).collect();
        let picture = picture(&folder, &[&[model], &view[..], &clips].concat())?;
        let lowest =
            |color: [u8; 4]| (0..48).rev().find(|&y| (0..64).any(|x| picture.get_pixel(x, y).0 == color));
        Ok([lowest(RED), lowest(GREEN)])
    };
    let (rest, up) = (Some(31), Some(23));
    for (clips, expected) in [
        (&[][..], [up, rest]),
        (&["none"], [rest, rest]),
        (&["1"], [rest, up]),
        (&["rise 1"], [rest, up]),
        (&["rise 0", "1"], [up, up]),
        (&["all"], [up, up]),
    ] {
        let found = base(clips)?;
        check(found == expected, || format!("{clips:?}: bases on rows {found:?}, not {expected:?}"))?;
    }
    Ok(())
}

fn a_clip_loops_or_stays() -> Result<(), Failed> {
    let folder = empty_folder("render_loop");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let at = |time: &str, repeats: &str| {
        let view =
            ["--eye", "0,0,5", "--target", "0,0,0", "--ortho", "4,3", "--time", time, "--loop", repeats];
        picture(&folder, &[&[model], &view[..]].concat())
    };
    // The clip lasts 2 s.
    check(at("3", "repeat")? == at("1", "once")?, || "3 s of 2 s are not 1 s".to_owned())?;
    check(at("3", "once")? == at("2", "once")?, || "it does not stay at its end".to_owned())?;
    check(at("3", "once")? != at("3", "repeat")?, || "both are the same".to_owned())?;
    check(at("2", "repeat")? == at("0", "repeat")?, || "the end of a loop is not its start".to_owned())
}

fn modes_show_other_things() -> Result<(), Failed> {
    let folder = empty_folder("render_modes");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let view = ["--eye", "0,0,5", "--target", "0,0,0", "--ortho", "2,1.5", "--background", "000000"];
    let middle = |mode: &str| -> Result<[u8; 4], Failed> {
        Ok(picture(&folder, &[&[model], &view[..], &["--mode", mode]].concat())?.get_pixel(32, 30).0)
    };
    check(middle("base-color")? == RED, || "base color".to_owned())?;
    // Toward +Z: 0.5 n + 0.5, as the number that it is.
    let normal = middle("normals")?;
    let near = |found: u8, wanted: u8| found.abs_diff(wanted) <= 1;
    check(near(normal[0], 128) && near(normal[1], 128) && normal[2] == 255, || format!("{normal:?}"))?;
    // Without texture coordinates there is no checker, and within a triangle no edge.
    check(near(middle("uv")?[0], 128), || "uv".to_owned())?;
    check(middle("wireframe")? == [0, 0, 0, 255], || "wireframe".to_owned())?;
    // The material says nothing: rough and metallic, not occluded, dark.
    check(middle("metallic-roughness")? == [0, 255, 255, 255], || "metallic and roughness".to_owned())?;
    check(middle("occlusion")? == [255; 4], || "occlusion".to_owned())?;
    check(middle("emissive")? == [0, 0, 0, 255], || "emissive".to_owned())
}

fn samples_smooth_edges() -> Result<(), Failed> {
    let folder = empty_folder("render_smooth");
    let model = triangles(&folder.join("one.gltf"), &[[1.0; 3]])?;
    let model = model.to_str().ok_or("a path")?;
    let colors = |samples: &str| -> Result<usize, Failed> {
        let picture = picture(&folder, &[model, "--background", "000000", "--samples", samples])?;
        let colors: std::collections::BTreeSet<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
        Ok(colors.len())
    };
    let (one, four) = (colors("1")?, colors("4")?);
    check(one == 2 && four > 2, || format!("{one} and {four} colors"))
}

fn timings_name_every_step() -> Result<(), Failed> {
    let folder = empty_folder("render_timings");
    let ended = ends(0, &folder, &[&own("LetterCube"), "-o", "a.png", "--size", "16x16", "--timings"])?;
    for step in [
        "open the device",
        "load",
        "document",
        "buffers",
        "images",
        "meshes",
        "scene",
        "prepare",
        "draw and read back",
        "encode and write",
        "all",
    ] {
        let line = ended.stderr.lines().find(|line| line.trim_start().starts_with(step));
        let numbers =
            line.map(|line| line.split_whitespace().rev().take(2).all(|word| word.parse::<f64>().is_ok()));
        check(numbers == Some(true), || format!("{step}: {ended:?}"))?;
    }
    Ok(())
}
