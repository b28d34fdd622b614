//! Sequences and turntables, in every format.

use crate::Test;
use crate::program::{count, ends, files, open, own, render, triangles};
use crate::support::check;
use crate::support::process::empty_folder;
use image::AnimationDecoder as _;
use libtest_mimic::Failed;
use std::fs::File;
use std::io::BufReader;

pub const TESTS: &[Test] = &[
    ("a_sequence_is_numbered_files_each_like_a_still", a_sequence_is_numbered),
    ("raw_frames_are_the_same_pictures", raw_frames),
    ("an_apng_holds_the_same_pictures", an_apng),
    ("a_gif_lasts_as_long_as_the_clip", a_gif_lasts_as_long),
    ("a_round_of_a_clip_is_divided_evenly", rounds_are_even),
    ("a_clip_that_stays_is_shown_to_its_end_and_once", a_clip_that_stays),
    ("a_transparent_gif_does_not_show_the_picture_before", a_transparent_gif),
    ("a_turntable_comes_back_and_shows_the_back", a_turntable),
    #[cfg(unix)]
    ("a_reader_that_goes_away_is_a_failure_and_no_panic", a_reader_that_goes_away),
];

fn a_sequence_is_numbered() -> Result<(), Failed> {
    let folder = empty_folder("render_sequence");
    let model = own("LetterCube");
    let view = [
        "--size",
        "48x32",
        "--eye",
        "3,2,4",
        "--target",
        "0,0,0",
        "--near",
        "1",
        "--far",
        "20",
        "--validate",
    ];
    let sequence =
        [&[&*model, "-o", "f.png", "--frames", "4", "--fps", "10", "--time", "0.5"], &view[..]].concat();
    ends(0, &folder, &sequence)?;
    let names: Vec<String> = (0..4).map(|frame| format!("f_{frame:04}.png")).collect();
    check(files(&folder) == names, || format!("{:?}", files(&folder)))?;
    for (name, time) in names.iter().zip(["0.5", "0.6", "0.7", "0.8"]) {
        ends(0, &folder, &[&[&*model, "-o", "still.png", "--time", time], &view[..]].concat())?;
        let (still, frame) = (std::fs::read(folder.join("still.png"))?, std::fs::read(folder.join(name))?);
        check(still == frame, || format!("{name} is not the picture at {time} s"))?;
    }
    let [first, last] = ["f_0000.png", "f_0003.png"].map(|name| open(&folder.join(name)));
    check(first? != last?, || "nothing moves".to_owned())
}

fn raw_frames() -> Result<(), Failed> {
    let folder = empty_folder("render_raw");
    let model = own("LetterCube");
    let common = [&*model, "--frames", "3", "--size", "20x10", "--turntable", "--validate"];
    let output = render(&folder, &[&common[..], &["-o", "-"]].concat()).output()?;
    check(output.status.code() == Some(0), || format!("{:?}", output.status))?;
    check(output.stdout.len() == 3 * 20 * 10 * 4, || format!("{} bytes", output.stdout.len()))?;
    ends(0, &folder, &[&common[..], &["-o", "f{frame}.png"]].concat())?;
    for (frame, raw) in output.stdout.chunks_exact(800).enumerate() {
        let file = open(&folder.join(format!("f{frame:04}.png")))?;
        check(file.as_raw() == raw, || format!("frame {frame} differs"))?;
    }
    Ok(())
}

fn an_apng() -> Result<(), Failed> {
    let folder = empty_folder("render_apng");
    let model = own("LetterCube");
    let common = [
        &*model,
        "--frames",
        "3",
        "--fps",
        "12.5",
        "--size",
        "20x10",
        "--background",
        "transparent",
        "--validate",
    ];
    ends(0, &folder, &[&common[..], &["-o", "a.apng"]].concat())?;
    ends(0, &folder, &[&common[..], &["-o", "f{frame}.png"]].concat())?;
    let file = BufReader::new(File::open(folder.join("a.apng"))?);
    let decoder = image::codecs::png::PngDecoder::new(file)?;
    check(decoder.is_apng()?, || "it is a still".to_owned())?;
    let frames = decoder.apng()?.into_frames().collect_frames()?;
    check(frames.len() == 3, || format!("{} pictures", frames.len()))?;
    for (index, frame) in frames.iter().enumerate() {
        let (numerator, denominator) = frame.delay().numer_denom_ms();
        check(numerator == 80 * denominator, || format!("{numerator}/{denominator} ms"))?;
        let still = open(&folder.join(format!("f{index:04}.png")))?;
        check(frame.buffer() == &still, || format!("picture {index} differs"))?;
    }
    Ok(())
}

fn decoded(path: &std::path::Path) -> Result<Vec<image::Frame>, Failed> {
    let decoder = image::codecs::gif::GifDecoder::new(BufReader::new(File::open(path)?))?;
    Ok(decoder.into_frames().collect_frames()?)
}

/// Without a number of pictures a GIF is as long as its clip: 2 s of a triangle that rises by 2 m.
fn a_gif_lasts_as_long() -> Result<(), Failed> {
    let folder = empty_folder("render_gif");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    ends(
        0,
        &folder,
        &[model, "-o", "a.gif", "--fps", "7", "--size", "40x40", "--validate", "--background", "000000"],
    )?;
    let frames = decoded(&folder.join("a.gif"))?;
    check(frames.len() == 14, || format!("{} pictures", frames.len()))?;
    let total: u32 = frames.iter().map(|frame| frame.delay().numer_denom_ms().0).sum();
    check(total == 2000, || format!("{total} ms"))?;
    let lowest = |index: usize| {
        let picture = frames[index].buffer();
        (0..40).rev().find(|&y| (0..40).any(|x| picture.get_pixel(x, y).0[0] > 128))
    };
    let rows: Vec<_> = [0, 4, 8, 13].map(lowest).into_iter().flatten().collect();
    check(rows.len() == 4 && rows.is_sorted_by(|a, b| a > b), || format!("the lowest rows are {rows:?}"))?;
    check(repeats_gif(&folder.join("a.gif"))?, || "it plays once".to_owned())?;
    // A model without a clip is one picture.
    ends(0, &folder, &[model, "-o", "still.gif", "--clip", "none", "--size", "8x8"])?;
    let count = decoded(&folder.join("still.gif"))?.len();
    check(count == 1, || format!("{count} pictures without a clip"))
}

fn repeats_gif(path: &std::path::Path) -> Result<bool, Failed> {
    Ok(std::fs::read(path)?.windows(11).any(|bytes| bytes == b"NETSCAPE2.0"))
}

/// How often an APNG plays, 0 being for ever: the second number of its animation control chunk.
fn plays_apng(path: &std::path::Path) -> Result<u32, Failed> {
    let bytes = std::fs::read(path)?;
    let at = bytes.windows(4).position(|kind| kind == b"acTL").ok_or("no APNG")?;
    Ok(bytes[at + 8..at + 12].iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// With 0.7 pictures a second of a clip of 2 s, a round is 1.4 pictures: one; with 0.8 it is 1.6: two, a second each.
fn rounds_are_even() -> Result<(), Failed> {
    let folder = empty_folder("render_even");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    for (fps, delays) in [("0.7", &[2000][..]), ("0.8", &[1000, 1000]), ("1.7", &[670, 660, 670])] {
        ends(0, &folder, &[model, "-o", "a.gif", "--fps", fps, "--size", "8x8"])?;
        let frames = decoded(&folder.join("a.gif"))?;
        let found: Vec<u32> = frames.iter().map(|frame| frame.delay().numer_denom_ms().0).collect();
        check(found == delays, || format!("{fps}: {found:?}"))?;
    }
    ends(0, &folder, &[model, "-o", "a.apng", "--fps", "0.8", "--size", "8x8"])?;
    let apng = image::codecs::png::PngDecoder::new(BufReader::new(File::open(folder.join("a.apng"))?))?;
    let frames = apng.apng()?.into_frames().collect_frames()?;
    let delays: Vec<_> = frames.iter().map(|frame| frame.delay().numer_denom_ms()).collect();
    check(delays.len() == 2 && delays.iter().all(|(ms, of)| *ms == 1000 * of), || format!("{delays:?}"))?;
    check(plays_apng(&folder.join("a.apng"))? == 0, || "it plays once".to_owned())
}

/// A clip that stays at its end is shown to its end, which is a picture as any, and the file plays once.
fn a_clip_that_stays() -> Result<(), Failed> {
    let folder = empty_folder("render_once");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let view = [
        "--size",
        "40x40",
        "--eye",
        "0,1,5",
        "--target",
        "0,1,0",
        "--ortho",
        "3,3",
        "--background",
        "000000",
    ];
    let once = [&[model, "--loop", "once", "--fps", "2"], &view[..]].concat();
    ends(0, &folder, &[&once[..], &["-o", "a.gif"]].concat())?;
    ends(0, &folder, &[&once[..], &["-o", "a.apng"]].concat())?;
    ends(0, &folder, &[&once[..], &["-o", "end.png", "--time", "2"]].concat())?;
    let end = open(&folder.join("end.png"))?;
    let frames = decoded(&folder.join("a.gif"))?;
    check(frames.len() == 5 && frames[4].buffer() == &end, || format!("{} pictures", frames.len()))?;
    check(frames[3].buffer() != &end, || "nothing moves at the end".to_owned())?;
    check(!repeats_gif(&folder.join("a.gif"))?, || "the GIF repeats".to_owned())?;
    check(plays_apng(&folder.join("a.apng"))? == 1, || "the APNG repeats".to_owned())?;
    // From the middle, half as long; and a turntable goes on.
    ends(0, &folder, &[&once[..], &["-o", "half.gif", "--time", "1"]].concat())?;
    check(decoded(&folder.join("half.gif"))?.len() == 3, || "it is not half as long".to_owned())?;
    let turn = ["-o", "turn.gif", "--turntable", "--frames", "2"];
    ends(0, &folder, &[&once[..], &turn].concat())?;
    check(repeats_gif(&folder.join("turn.gif"))?, || "the turntable stops".to_owned())
}

fn a_transparent_gif() -> Result<(), Failed> {
    let folder = empty_folder("render_transparent");
    let model = triangles(&folder.join("one.gltf"), &[[1.0, 0.0, 0.0]])?;
    let model = model.to_str().ok_or("a path")?;
    let view = ["--background", "transparent", "--size", "40x40", "--frames", "2", "--fps", "0.5"];
    let camera = ["--yaw", "0", "--pitch", "0", "--ortho", "2.5,2.5"];
    ends(0, &folder, &[&[model, "-o", "a.gif", "--loop", "once"], &view[..], &camera].concat())?;
    let frames = decoded(&folder.join("a.gif"))?;
    let drawn: Vec<usize> = frames.iter().map(|frame| 1600 - count(frame.buffer(), [0; 4])).collect();
    // The triangle has moved by more than its height; what it left is see-through again.
    check(drawn.len() == 2 && drawn[0].abs_diff(drawn[1]) < 30 && drawn[0] > 100, || format!("{drawn:?}"))
}

fn a_turntable() -> Result<(), Failed> {
    let folder = empty_folder("render_turntable");
    let model = own("LetterCube");
    let common = [&*model, "--size", "48x48", "--clip", "none", "--pitch", "0", "--yaw", "0", "--validate"];
    ends(0, &folder, &[&common[..], &["--turntable", "--frames", "4", "-o", "t.png"]].concat())?;
    let at = |frame: u32| open(&folder.join(format!("t_{frame:04}.png")));
    let (front, right, back) = (at(0)?, at(1)?, at(2)?);
    check(front != right && front != back && right != back, || "the sides are the same".to_owned())?;
    // A quarter is what a yaw of 90 degrees shows, at the same distance.
    ends(
        0,
        &folder,
        &["--yaw", "90", &model, "--size", "48x48", "--clip", "none", "--pitch", "0", "-o", "side.png"],
    )?;
    let side = open(&folder.join("side.png"))?;
    let differing = side.pixels().zip(right.pixels()).filter(|(a, b)| a != b).count();
    check(differing < 48 * 48 / 50, || format!("{differing} pixels differ from the view of the side"))
}

#[cfg(unix)]
fn a_reader_that_goes_away() -> Result<(), Failed> {
    use std::process::Stdio;
    let folder = empty_folder("render_pipe");
    let model = own("LetterCube");
    let mut command = render(&folder, &[&model, "-o", "-", "--frames", "50", "--size", "256x256"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    check(output.status.code() == Some(1), || format!("{:?} {error}", output.status))?;
    check(error.contains("cannot write to standard output"), || error.clone())
}
