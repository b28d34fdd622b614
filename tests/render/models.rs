//! Many models in one run.

use crate::Test;
use crate::program::{count, ends, files, open, triangles};
use crate::support::process::empty_folder;
use crate::support::{check, shared};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};

pub const TESTS: &[Test] = &[
    ("many_models_give_the_same_pictures_as_one_by_one", many_models),
    ("a_contact_sheet_shows_every_model_in_order", a_contact_sheet),
];

/// Models of 1, 2 and 3 triangles, over and over.
fn row(folder: &Path, count: usize) -> Result<Vec<String>, Failed> {
    let colors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    (0..count)
        .map(|index| {
            let place = folder.join(format!("model {index}"));
            std::fs::create_dir_all(&place)?;
            let model = triangles(&place.join(format!("m{index}.gltf")), &colors[..index % 3 + 1])?;
            Ok(model.to_str().ok_or("a path")?.to_owned())
        })
        .collect()
}

fn many_models() -> Result<(), Failed> {
    let folder = empty_folder("render_many");
    let models = row(&folder, 7)?;
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    std::fs::create_dir(folder.join("all"))?;
    let view = ["--size", "40x30", "--background", "000000"];
    for jobs in ["1", "3"] {
        let options = ["-o", "all/{name}.png", "--jobs", jobs, "--validate", "-q"];
        ends(0, &folder, &[&models[..], &options, &view].concat())?;
        let names: Vec<String> = (0..7).map(|index| format!("m{index}.png")).collect();
        check(files(&folder.join("all")) == names, || format!("{:?}", files(&folder.join("all"))))?;
        for (model, name) in models.iter().zip(&names).take(4) {
            ends(0, &folder, &[&[*model, "-o", "alone.png", "-q"], &view[..]].concat())?;
            let (alone, together) =
                (std::fs::read(folder.join("alone.png"))?, std::fs::read(folder.join("all").join(name))?);
            check(alone == together, || format!("{name} with {jobs} jobs differs from a run of its own"))?;
        }
    }
    Ok(())
}

fn a_contact_sheet() -> Result<(), Failed> {
    let folder = empty_folder("render_sheet");
    let mut models = row(&folder, 3)?;
    models.insert(1, "absent.glb".to_owned());
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let options =
        ["--contact-sheet", "sheet.png", "--columns", "2", "--size", "40x30", "--background", "000000"];
    ends(1, &folder, &[&models[..], &options, &["--validate", "--yaw", "0", "--pitch", "0"]].concat())?;
    let sheet = open(&folder.join("sheet.png"))?;
    check(sheet.dimensions() == (80, 60), || format!("{:?}", sheet.dimensions()))?;
    let cell = |x: u32, y: u32| image::imageops::crop_imm(&sheet, x, y, 40, 30).to_image();
    let colors = |x, y| {
        [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]].map(|color| count(&cell(x, y), color) > 5)
    };
    check(colors(0, 0) == [true, false, false], || "the first cell".to_owned())?;
    check(colors(40, 0) == [false; 3] && cell(40, 0).get_pixel(0, 0).0[0] > 150, || "no cross".to_owned())?;
    check(colors(0, 30) == [true, true, false], || "the third cell".to_owned())?;
    check(colors(40, 30) == [true, true, true], || "the last cell".to_owned())?;
    ends(1, &folder, &[&models[..], &options, &["--labels"]].concat())?;
    let labeled = open(&folder.join("sheet.png"))?;
    check(labeled.height() > 60 && labeled.width() == 80, || format!("{:?}", labeled.dimensions()))?;
    // The last cell of a sheet of five in rows of three is empty; it and the strips are of the background, too.
    let five = [&models[..], &[models[0]]].concat();
    let options =
        ["--contact-sheet", "white.png", "--columns", "3", "--size", "40x30", "--background", "ffffff"];
    ends(1, &folder, &[&five[..], &options, &["--labels"]].concat())?;
    let white = open(&folder.join("white.png"))?;
    let (empty, strip) = (white.get_pixel(119, 60).0, white.get_pixel(119, 31).0);
    check(empty == [255; 4] && strip == [255; 4], || format!("{empty:?} {strip:?}"))
}

/// Every sample of the corpus, in the first of its containers.
pub fn every_sample() -> Result<(), Failed> {
    let folder = empty_folder("render_samples_sheet");
    let samples = shared().ok_or("no ../shared")?.join("gltf-conformance/samples");
    let mut models: Vec<PathBuf> = Vec::new();
    for sample in files(&samples) {
        let containers = files(&samples.join(&sample));
        let found = containers.iter().find_map(|container| {
            let place = samples.join(&sample).join(container);
            let name =
                files(&place).into_iter().find(|name| name.ends_with(".gltf") || name.ends_with(".glb"))?;
            Some(place.join(name))
        });
        models.extend(found);
    }
    check(models.len() >= 46, || format!("only {} samples are there", models.len()))?;
    let models: Vec<&str> = models.iter().filter_map(|model| model.to_str()).collect();
    let options = ["--contact-sheet", "sheet.png", "--labels", "--size", "96x96", "-q"];
    let ended = ends(0, &folder, &[&models[..], &options].concat())?;
    check(ended.stderr.is_empty(), || format!("{ended:?}"))?;
    // Something is drawn in each: no cell is of one color.
    let sheet = open(&folder.join("sheet.png"))?;
    let columns = sheet.width() / 96;
    for (index, model) in (0..).zip(&models) {
        let (x, y) = (index % columns * 96, index / columns * (96 + 14));
        let cell = image::imageops::crop_imm(&sheet, x, y, 96, 96).to_image();
        let background = cell.get_pixel(0, 0).0;
        let drawn = 96 * 96 - count(&cell, background);
        check(drawn > 30, || format!("{model}: {drawn} pixels are drawn"))?;
    }
    Ok(())
}
