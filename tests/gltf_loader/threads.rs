//! Images on several threads: the same content, report and error as on one; progress, and stopping.

use crate::fixtures::{Doc, base64, holds};
use crate::images::raw_png;
use fire_engine::assets::ImageData;
use fire_engine::gltf::{
    LoadError, LoadOptions, LoadPhase, LoadProgress, ProgressCallback, ResolveError, Resolver, ResourceName,
    load_from_slice_with,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Files by name, which are asked for on one thread alone: the cell is not `Sync`.
struct Files<'a> {
    have: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    asked: RefCell<Vec<String>>,
}

impl Resolver for Files<'_> {
    fn read(&self, name: &ResourceName, _: u64) -> Result<Vec<u8>, ResolveError> {
        self.asked.borrow_mut().push(name.decoded().to_owned());
        (self.have)(name.decoded()).ok_or(ResolveError::NotFound)
    }
}

type Loaded = Result<(Vec<ImageData>, String), LoadError>;

/// What a load gives, in a form that can be compared, and the files that it asked for.
fn outcome(
    doc: &Doc,
    have: &dyn Fn(&str) -> Option<Vec<u8>>,
    threads: usize,
    progress: Option<ProgressCallback>,
) -> (Loaded, Vec<String>) {
    let files = Files { have, asked: RefCell::default() };
    let options = LoadOptions { threads: NonZeroUsize::new(threads), progress, ..LoadOptions::default() };
    let loaded = load_from_slice_with("model", &doc.gltf(), &files, &options);
    let loaded = loaded.map(|(content, report)| (content.assets.images().to_vec(), report.to_string()));
    (loaded, files.asked.into_inner())
}

/// One material for each image, which uses it as its base color, or only as its normal map where `kept` says so.
fn with_images(images: Vec<Value>, kept: impl Fn(usize) -> bool) -> Doc {
    let mut doc = Doc::triangle();
    doc.json["textures"] = (0..images.len()).map(|source| json!({"source": source})).collect();
    let material = |index| {
        let slot = json!({"index": index});
        if kept(index) {
            json!({"normalTexture": slot})
        } else {
            json!({"pbrMetallicRoughness": {"baseColorTexture": slot}})
        }
    };
    doc.json["materials"] = (0..images.len()).map(material).collect();
    doc.json["images"] = Value::Array(images);
    doc
}

/// A gray picture whose size and bytes follow from its number.
fn picture(number: usize) -> Vec<u8> {
    let (width, height) = (1 + number % 40, 1 + number * 7 % 50);
    let rows: Vec<u8> = (0..height)
        .flat_map(|y| std::iter::once(0).chain((0..width).map(move |x| (number + x * 3 + y) as u8)))
        .collect();
    raw_png(width as u32, height as u32, 8, 0, &[], &rows)
}

fn numbered(name: &str) -> Option<Vec<u8>> {
    name.strip_suffix(".png").and_then(|number| number.parse().ok()).map(picture)
}

/// 60 images: some share a file, some are inline, some lie in buffer views; some cannot be had and are not drawn.
fn mixed() -> Doc {
    let mut images: Vec<Value> = (0..60)
        .map(|index| match index % 6 {
            0 => json!({"name": format!("I{index}"), "uri": format!("{}.png", index % 12)}),
            1 => json!({"uri": format!("data:image/jpeg;base64,{}", base64(&picture(index))), "mimeType": "image/jpeg"}),
            2 => json!({"uri": "gone.png"}),
            3 => json!({"uri": "data:,no%20image"}),
            _ => json!({"uri": format!("{index}.png")}),
        })
        .collect();
    let mut inner = Doc::triangle();
    let view = inner.view(&picture(99));
    images[10] = json!({"bufferView": view, "name": "view"});
    images[40] = json!({"bufferView": view, "name": "the same view"});
    let mut doc = with_images(images, |index| matches!(index % 6, 2 | 3 | 5));
    doc.json["bufferViews"] = inner.json["bufferViews"].clone();
    doc.binary = inner.binary;
    // Two images that nothing uses.
    doc.push("images", json!({"uri": "unread.png"}));
    doc.push("images", json!({"uri": "unread.png"}));
    doc
}

#[test]
fn any_number_of_threads_gives_the_same_content_report_and_order_of_reading() {
    let doc = mixed();
    let (expected, asked) = outcome(&doc, &numbered, 1, None);
    let (images, report) = expected.unwrap();
    assert_eq!(images.len(), 62);
    assert_eq!((images[40].name.as_str(), &images[40].mips), ("the same view", &images[10].mips));
    assert_eq!(images[10].mips, {
        let mut alone = Doc::triangle();
        alone.image(&picture(99));
        alone.content().assets.images()[0].mips.clone()
    });
    holds(&report, &["images[2]: ignored: \"gone.png\"", "images[3]", "images[60]"]);
    assert_eq!(asked.iter().filter(|name| *name == "gone.png").count(), 1, "{asked:?}");
    for threads in [2, 3, 8, 64] {
        let (loaded, order) = outcome(&doc, &numbered, threads, None);
        let (other, other_report) = loaded.unwrap();
        assert!(images == other, "{threads} threads");
        assert_eq!((&report, &asked), (&other_report, &order), "{threads} threads");
    }
    // With none given, as many as the machine has.
    let files = Files { have: &numbered, asked: RefCell::default() };
    let loaded = load_from_slice_with("model", &doc.gltf(), &files, &LoadOptions::default()).unwrap();
    assert!(images == loaded.0.assets.images());
}

#[test]
fn the_first_fault_in_the_documents_order_is_told_whatever_the_number_of_threads() {
    let damaged = || json!({"uri": format!("data:;base64,{}", base64(&picture(30)[..60]))});
    for (faults, told) in [
        // A file that is missing, and pictures that are damaged before or after it.
        (
            vec![(20, json!({"uri": "gone.png"})), (30, damaged())],
            "images[20].uri: \"gone.png\": no such file",
        ),
        (vec![(20, damaged()), (21, json!({"uri": "gone.png"}))], "images[20]: "),
        (vec![(7, damaged()), (8, damaged()), (9, damaged())], "images[7]: "),
        (vec![(59, damaged())], "images[59]: "),
        // The limit counts headers, and is met before the picture after it is found to be damaged.
        (vec![(5, json!({"uri": "wide.png"})), (6, damaged())], "images[5]: the image's larger side"),
    ] {
        let mut images: Vec<Value> = (0..60).map(|index| json!({"uri": format!("{index}.png")})).collect();
        for (index, image) in faults {
            images[index] = image;
        }
        // The first image is damaged as well, but not drawn.
        images[0] = damaged();
        let doc = with_images(images, |index| index == 0);
        let have = |name: &str| match name {
            "wide.png" => Some(raw_png(20_000, 1, 8, 0, &[], &[])),
            name => numbered(name),
        };
        let messages: Vec<String> =
            [1, 2, 8].map(|threads| outcome(&doc, &have, threads, None).0.unwrap_err().to_string()).into();
        holds(&messages[0], &[told]);
        assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
    }
}

#[test]
fn an_image_that_is_drawn_fails_in_its_own_place_where_an_undrawn_one_shares_its_file() {
    let image = json!({"uri": "0.png"});
    let doc = with_images(vec![image.clone(), json!({"uri": "1.png"}), image], |index| index == 0);
    for threads in [1, 2] {
        for (missing, told) in [("0.png", "images[2].uri"), ("1.png", "images[1].uri")] {
            let have = |name: &str| if name == missing { None } else { numbered(name) };
            holds(&outcome(&doc, &have, threads, None).0.unwrap_err().to_string(), &[told, missing]);
        }
        let have =
            |name: &str| if name == "0.png" { Some(picture(0)[..50].to_vec()) } else { numbered(name) };
        holds(&outcome(&doc, &have, threads, None).0.unwrap_err().to_string(), &["images[2]: "]);
    }
}

/// A callback that notes its calls and stops at one of them.
fn noting(stop_at: Option<usize>) -> (ProgressCallback, Arc<Mutex<Vec<LoadProgress>>>) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let (noted, thread) = (Arc::clone(&calls), std::thread::current().id());
    let callback = ProgressCallback::new(move |progress| {
        assert_eq!(std::thread::current().id(), thread);
        let mut calls = noted.lock().unwrap();
        calls.push(progress);
        if stop_at == Some(calls.len()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (callback, calls)
}

#[test]
fn progress_counts_every_phase_to_its_end_alike_on_any_number_of_threads() {
    let doc = mixed();
    let mut all = Vec::new();
    for threads in [1, 2, 8] {
        let (callback, calls) = noting(None);
        outcome(&doc, &numbered, threads, Some(callback)).0.unwrap();
        all.push(calls.lock().unwrap().clone());
    }
    assert!(all.iter().all(|calls| *calls == all[0]));
    let phases =
        [LoadPhase::Document, LoadPhase::Buffers, LoadPhase::Images, LoadPhase::Meshes, LoadPhase::Scene];
    let mut rest = &all[0][..];
    for phase in phases {
        let count = rest.iter().take_while(|progress| progress.phase == phase).count();
        let total = rest[0].total;
        let done: Vec<_> = rest[..count].iter().map(|progress| (progress.done, progress.total)).collect();
        assert_eq!(done, (0..=total).map(|done| (done, total)).collect::<Vec<_>>(), "{phase:?}");
        rest = &rest[count..];
        if phase == LoadPhase::Images {
            // 10 of 10 inline, 2 + 20 in files, the one that is gone, the text, and a view instead of two files.
            let mut origins: Vec<String> = doc.json["images"].as_array().unwrap()[..60]
                .iter()
                .map(|image| format!("{}{}", image["uri"], image["bufferView"]))
                .collect();
            origins.sort();
            origins.dedup();
            assert_eq!(total, origins.len());
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn a_load_can_be_stopped_at_every_call() {
    let doc = mixed();
    let (callback, calls) = noting(None);
    outcome(&doc, &numbered, 1, Some(callback)).0.unwrap();
    let count = calls.lock().unwrap().len();
    assert!(count > 40);
    for threads in [1, 2, 8] {
        for stop_at in 1..=count {
            let (callback, calls) = noting(Some(stop_at));
            let error = outcome(&doc, &numbered, threads, Some(callback)).0.unwrap_err();
            assert!(matches!(&error, LoadError::Canceled { file } if file == "model"), "{error}");
            assert_eq!(calls.lock().unwrap().len(), stop_at);
        }
    }
}

/// One large mesh, or many long clips, must not keep a load from being stopped.
#[test]
fn every_primitive_and_every_clip_is_a_step() {
    let mut doc = Doc::turning();
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    doc.json["meshes"] = json!([
        {"primitives": [primitive, primitive, primitive]},
        {"primitives": []},
        {"primitives": [primitive]},
    ]);
    let clip = doc.json["animations"][0].clone();
    let mut bad = clip.clone();
    // Twice the same: the clip is left out, and counted.
    bad["channels"] = json!([clip["channels"][0], clip["channels"][0]]);
    doc.json["animations"] = json!([clip, bad, clip]);
    let steps = |doc: &Doc, phase| {
        let (callback, calls) = noting(None);
        let options = LoadOptions { progress: Some(callback), ..LoadOptions::default() };
        load_from_slice_with("model", &doc.gltf(), &fire_engine::gltf::NoFiles, &options).unwrap();
        let calls = calls.lock().unwrap();
        let calls = calls.iter().filter(|step| step.phase == phase);
        calls.map(|step| (step.done, step.total)).collect::<Vec<_>>()
    };
    let all = |total| (0..=total).map(|done| (done, total)).collect::<Vec<_>>();
    assert_eq!(steps(&doc, LoadPhase::Meshes), all(4));
    assert_eq!(steps(&doc, LoadPhase::Scene), all(4));
    doc.json["nodes"][0].as_object_mut().unwrap().remove("mesh");
    doc.json["meshes"] = json!([{"primitives": []}]);
    doc.json["animations"] = json!([]);
    assert_eq!((steps(&doc, LoadPhase::Meshes), steps(&doc, LoadPhase::Scene)), (all(0), all(1)));
}

#[test]
fn options_with_a_callback_can_be_copied_and_printed() {
    let (callback, calls) = noting(None);
    let options = LoadOptions { progress: Some(callback), ..LoadOptions::default() };
    assert!(format!("{:?}", options.clone()).contains("ProgressCallback"));
    load_from_slice_with("model", &Doc::triangle().gltf(), &fire_engine::gltf::NoFiles, &options.clone())
        .unwrap();
    assert!(!calls.lock().unwrap().is_empty());
}
