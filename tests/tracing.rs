//! What the feature `tracing` tells: that events come, when, at which level and with which fields.

mod support;

use fire_engine::assets::{ImageData, Material, RenderObject, Texture, TextureSlot};
use fire_engine::gltf::{self, NoFiles};
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Projection};
use fire_engine::vulkan::{Renderer, RendererError, RendererOptions};
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use support::{check, validated_driver};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

fn main() -> ExitCode {
    let (nothing, driver) = (Ok(()), validated_driver());
    let trials = vec![
        support::trial("a_load_tells_its_phases_its_rows_and_its_end", &nothing, a_load_tells_what_it_does),
        support::trial("a_refused_load_tells_why_and_no_end", &nothing, a_refused_load_tells_why),
        support::trial("loads_on_other_threads_go_unheard", &nothing, other_threads_go_unheard),
        support::trial("the_device_is_told_once", &driver, the_device_is_told_once),
        support::trial("rejected_devices_are_told_with_the_reason", &driver, rejected_devices_are_told),
        support::trial("only_a_prepare_that_compiles_is_told", &driver, only_what_compiles_is_told),
        support::trial("frames_tell_nothing_above_trace", &driver, frames_tell_nothing_above_trace),
    ];
    support::run(trials).exit_code()
}

/// One event, or the start of a span.
#[derive(Debug, Clone)]
struct Told {
    level: Level,
    target: &'static str,
    /// The message, or the span's name.
    what: String,
    fields: BTreeMap<&'static str, String>,
    /// The name of the span that it is in.
    inside: Option<&'static str>,
}

impl Told {
    /// A field, as text.
    fn text(&self, field: &str) -> Result<&str, Failed> {
        let found = self.fields.get(field).map(String::as_str);
        found.ok_or_else(|| format!("no field {field}: {self:?}").into())
    }

    /// A field, as a number.
    fn number(&self, field: &str) -> Result<f64, Failed> {
        let text = self.text(field)?;
        text.parse().map_err(|_| format!("{field} is no number: {self:?}").into())
    }
}

impl Visit for Told {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        match field.name() {
            "message" => self.what = text,
            name => drop(self.fields.insert(name, text)),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }
}

#[derive(Default)]
struct Heard {
    told: Vec<Told>,
    /// Names of all spans, whose number is their id.
    spans: Vec<&'static str>,
    /// The spans that are open, the innermost last.
    open: Vec<u64>,
}

/// Keeps everything that it is told.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Heard>>);

impl Listener {
    /// What is told on this thread meanwhile.
    fn during<T>(work: impl FnOnce() -> T) -> (T, Vec<Told>) {
        let listener = Self::default();
        let result = tracing::subscriber::with_default(listener.clone(), work);
        let mut heard = listener.heard();
        assert!(heard.open.is_empty(), "spans are left: {:?}", heard.open);
        (result, std::mem::take(&mut heard.told))
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, metadata: &'static Metadata<'static>, record: impl FnOnce(&mut Told)) {
        let mut heard = self.heard();
        let inside = heard.open.last().map(|&id| heard.spans[id as usize - 1]);
        let mut told = Told {
            level: *metadata.level(),
            target: metadata.target(),
            what: if metadata.is_span() { metadata.name().to_owned() } else { String::new() },
            fields: BTreeMap::new(),
            inside,
        };
        record(&mut told);
        heard.told.push(told);
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("fire_engine")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.hear(span.metadata(), |told| span.record(told));
        let mut heard = self.heard();
        heard.spans.push(span.metadata().name());
        Id::from_u64(heard.spans.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.hear(event.metadata(), |told| event.record(told));
    }

    fn enter(&self, span: &Id) {
        self.heard().open.push(span.into_u64());
    }

    fn exit(&self, span: &Id) {
        assert_eq!(self.heard().open.pop(), Some(span.into_u64()), "spans cross");
    }
}

/// All that is told with these words.
fn told<'a>(all: &'a [Told], what: &str) -> Vec<&'a Told> {
    all.iter().filter(|told| told.what == what).collect()
}

/// The one thing that is told with these words.
fn only<'a>(all: &'a [Told], what: &str) -> Result<&'a Told, Failed> {
    match told(all, what)[..] {
        [one] => Ok(one),
        _ => Err(format!("`{what}` is not told once: {all:#?}").into()),
    }
}

/// A triangle of 3 positions below a node, with an extension that nobody knows: a row of the report.
const TRIANGLE: &str = r#"{
    "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
    "extensionsUsed": ["ACME_unheard"], "extensions": {"ACME_unheard": {}}
}"#;

fn a_load_tells_what_it_does() -> Result<(), Failed> {
    let options = gltf::LoadOptions::default();
    let load = || gltf::load_from_slice_with("flag.gltf", TRIANGLE.as_bytes(), &NoFiles, &options);
    let (loaded, all) = Listener::during(load);
    let (content, report) = loaded?;

    let span = only(&all, "load")?;
    check(span.level == Level::INFO && span.text("file")? == "flag.gltf", || format!("{span:?}"))?;
    check(span.inside.is_none(), || format!("{span:?}"))?;
    let outside = all.iter().skip(1).find(|told| told.inside != Some("load"));
    check(outside.is_none(), || format!("outside the span: {outside:?}"))?;
    let loud = all.iter().find(|told| told.level < Level::INFO);
    check(loud.is_none(), || format!("a load that succeeds warns of nothing: {loud:?}"))?;

    // One a phase, in order; steps are buffers, images that are used, meshes.
    let phases = told(&all, "phase of a load done");
    let steps: Vec<_> =
        phases.iter().map(|told| (told.fields["phase"].as_str(), &*told.fields["steps"])).collect();
    let expected = [("Document", "1"), ("Buffers", "1"), ("Images", "0"), ("Meshes", "1"), ("Scene", "1")];
    check(steps == expected, || format!("{steps:?}"))?;
    for phase in &phases {
        check(phase.level == Level::DEBUG && phase.number("ms")? >= 0.0, || format!("{phase:?}"))?;
    }

    let rows = told(&all, "row of the load's report");
    check(!report.is_empty() && rows.len() == report.len(), || format!("{rows:#?}\n{report}"))?;
    for (row, note) in rows.iter().zip(&report) {
        let same = row.level == Level::DEBUG
            && row.text("json_path")? == note.json_path
            && row.text("note")? == note.message
            && row.text("severity")? == note.severity.to_string()
            && row.text("kind")? == note.kind.to_string();
        check(same, || format!("{row:?}\n{note:?}"))?;
    }
    check(rows.iter().any(|row| row.fields["note"].contains("ACME_unheard")), || format!("{rows:?}"))?;

    let end = only(&all, "loaded")?;
    check(end.level == Level::INFO && end.target.starts_with("fire_engine::gltf"), || format!("{end:?}"))?;
    check(all.last().is_some_and(|last| last.what == "loaded"), || format!("{all:#?}"))?;
    // Of the document: the scene has a further node, which carries the primitive, and the default material.
    let counts =
        ["nodes", "meshes", "materials", "images", "clips", "rows"].map(|name| end.number(name).ok());
    let rows = report.len() as f64;
    check(counts == [1.0, 1.0, 0.0, 0.0, 0.0, rows].map(Some), || format!("{end:?}"))?;
    check(content.scene.len() == 2, || format!("{} nodes", content.scene.len()))?;
    // 3 positions of 12 bytes at least; what is kept besides (indices, normals) is little.
    let bytes = end.number("bytes")?;
    check((36.0..1000.0).contains(&bytes), || format!("{end:?}"))?;
    let sum: f64 = phases.iter().filter_map(|phase| phase.number("ms").ok()).sum();
    check(end.number("ms")? >= sum, || format!("{end:?} {phases:?}"))
}

fn a_refused_load_tells_why() -> Result<(), Failed> {
    let (loaded, all) = Listener::during(|| gltf::load("no/such/file.glb"));
    check(loaded.is_err() && all.is_empty(), || format!("what was never begun is told: {all:?}"))?;
    let cut =
        TRIANGLE.replace("\"byteLength\": 36}],\n    \"buffers\"", "\"byteLength\": 37}],\n    \"buffers\"");
    let (loaded, all) = Listener::during(|| gltf::load_from_slice(cut.as_bytes(), &NoFiles));
    let error = loaded.err().ok_or("37 bytes of 36")?;
    let refused = only(&all, "load refused")?;
    // The caller has the error, and decides how loud it is.
    let fits = refused.level == Level::DEBUG && refused.text("error")? == error.to_string();
    check(fits && refused.inside == Some("load"), || format!("{refused:?}"))?;
    check(told(&all, "loaded").is_empty(), || format!("{all:?}"))
}

/// The listener of a thread is that thread's alone.
fn other_threads_go_unheard() -> Result<(), Failed> {
    let load = || std::thread::spawn(|| gltf::load_from_slice(TRIANGLE.as_bytes(), &NoFiles).is_ok()).join();
    let (loaded, all) = Listener::during(load);
    check(loaded.is_ok_and(|loaded| loaded) && all.is_empty(), || format!("{all:?}"))
}

fn the_device_is_told_once() -> Result<(), Failed> {
    let (options, log) = support::options();
    let (renderer, all) = Listener::during(|| Renderer::headless((16, 16), options));
    let info = renderer?.info();
    support::assert_clean(&log)?;
    let chosen = only(&all, "device chosen")?;
    let same = chosen.text("device")? == info.device_name
        && chosen.text("driver")? == info.driver_name
        && chosen.text("kind")? == info.device_type
        && chosen.text("vulkan")? == info.api_version
        && chosen.text("validation")? == info.validation;
    check(same && chosen.level == Level::INFO, || format!("{chosen:?}\n{info}"))?;
    let loud = all.iter().find(|told| told.level < Level::INFO);
    check(loud.is_none(), || format!("{loud:?}"))
}

fn rejected_devices_are_told() -> Result<(), Failed> {
    let device = Some("no device is called this".to_owned());
    let options = RendererOptions { device, ..RendererOptions::default() };
    let (renderer, all) = Listener::during(|| Renderer::headless((16, 16), options));
    let Err(RendererError::NoSuitableDevice { rejected }) = renderer else {
        return Err("a device is called this".into());
    };
    let rows = told(&all, "device rejected");
    check(!rows.is_empty() && rows.len() == rejected.len(), || format!("{all:#?}"))?;
    for (row, device) in rows.iter().zip(&rejected) {
        let same = row.text("device")? == device.name && row.text("reason")? == device.reason;
        check(same && row.level == Level::DEBUG, || format!("{row:?}\n{device:?}"))?;
    }
    check(told(&all, "device chosen").is_empty(), || format!("{all:#?}"))
}

fn only_what_compiles_is_told() -> Result<(), Failed> {
    let (mut content, _) = gltf::load_from_slice(TRIANGLE.as_bytes(), &NoFiles)?;
    content.scene.update_world_transforms();
    let (options, log) = support::options();
    let mut renderer = Renderer::headless((16, 16), options)?;

    let (prepared, all) = Listener::during(|| renderer.prepare(&content.assets, &content.scene));
    prepared?;
    let first = only(&all, "prepared")?;
    let fields = ["generation", "meshes", "textures", "uploaded_meshes", "uploaded_images"];
    let numbers = |told: &Told| fields.map(|name| told.number(name).unwrap_or(f64::NAN));
    check(numbers(first) == [1.0, 1.0, 0.0, 1.0, 0.0], || format!("{first:?}"))?;
    check(first.level == Level::DEBUG && first.inside == Some("prepare"), || format!("{first:?}"))?;
    check(first.number("bytes")? >= 36.0 && first.number("ms")? > 0.0, || format!("{first:?}"))?;
    let pipelines = told(&all, "pipeline made");
    check(pipelines.len() == 1 && pipelines[0].level == Level::DEBUG, || format!("{all:#?}"))?;

    // Nothing to do, and nothing told.
    let (prepared, all) = Listener::during(|| renderer.prepare(&content.assets, &content.scene));
    prepared?;
    check(all.is_empty(), || format!("{all:#?}"))?;

    // A second object with the same mesh and a texture of 2 x 2 pixels: the mesh stays, the image is new.
    let image = content.assets.add_image(ImageData::rgba8(2, 2, vec![128; 16]));
    let texture = content.assets.add_texture(Texture::new(image));
    let base_color_texture = Some(TextureSlot::new(texture));
    let material = content.assets.add_material(Material { base_color_texture, ..Material::default() });
    let mesh = content.assets.render_objects()[0].mesh;
    let object = content.assets.add_render_object(RenderObject { mesh, material });
    let node = content.scene.add_root("second")?;
    content.scene.find_mut(node).ok_or("gone")?.set_render_object(Some(object));
    content.scene.update_world_transforms();
    let (prepared, all) = Listener::during(|| renderer.prepare(&content.assets, &content.scene));
    prepared?;
    let second = only(&all, "prepared")?;
    check(numbers(second)[0] == 2.0 && numbers(second)[2] == 1.0, || format!("{second:?}"))?;
    check(numbers(second)[4] == 1.0 && second.number("bytes")? >= 16.0, || format!("{second:?}"))?;
    drop(renderer);
    support::assert_clean(&log)
}

fn frames_tell_nothing_above_trace() -> Result<(), Failed> {
    let (mut content, _) = gltf::load_from_slice(TRIANGLE.as_bytes(), &NoFiles)?;
    content.scene.update_world_transforms();
    let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
    let (options, log) = support::options();
    let mut renderer = Renderer::headless((16, 16), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let (drawn, all) =
        Listener::during(|| (0..5).try_for_each(|_| renderer.draw_frame(&content.scene, &camera).map(drop)));
    drawn?;
    let serials: Vec<_> = all.iter().map(|told| (told.level, &*told.what, &*told.fields["serial"])).collect();
    let expected = ["1", "2", "3", "4", "5"].map(|serial| (Level::TRACE, "frame submitted", serial));
    check(serials == expected, || format!("{all:#?}"))?;
    check(all[0].number("instances")? == 1.0 && all[0].number("calls")? == 1.0, || format!("{all:#?}"))?;
    drop(renderer);
    support::assert_clean(&log)
}
