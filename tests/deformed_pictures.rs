//! What the GPU makes of skins and morph targets against what the CPU does: each skinned or morphed file of the corpus is
//! drawn in several poses, and again with the posed vertices as a mesh of their own that nothing moves.
//!
//! Writes comparisons of what fails (or, with `KEEP_PICTURES` set, of everything) to `target/deformed_pictures`.

mod support;

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::assets::{Color4, Mesh, RenderAssets, RenderObject, Topology};
use fire_engine::gltf;
use fire_engine::math::{Affine3x4, Vec3};
use fire_engine::scene::{Camera, Content, DrawItem, DrawList, Projection, Scene};
use fire_engine::vulkan::{Renderer, ViewMode};
use glam::{DMat3, DVec3, DVec4};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use support::picture::Picture;

const SIZE: (u32, u32) = (160, 160);

/// Percent of the object's pixels that may differ: edges that rounding moves over a pixel's center.
const EDGES: f64 = 0.5;

fn main() -> ExitCode {
    let Some(shared) = support::shared() else {
        return support::run(vec![support::skipped("files", "../shared is absent")]).exit_code();
    };
    let needs = support::validated_driver();
    let corpus = shared.join("gltf-conformance");
    let manifest = match read(&corpus.join("manifest.json")) {
        Ok(manifest) => manifest,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let entries = manifest["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let deformed = entries.iter().filter(|entry| {
        let features = &entry["features"];
        entry["expect"] == "load"
            && entry["counts"]["scene_draws"].as_u64() > Some(0)
            && (features["skin_joints"].is_array() || features["morph_targets_max"].is_u64())
    });
    let trials: Vec<Trial> = deformed
        .filter_map(|entry| entry["path"].as_str())
        .map(|path| {
            let file = corpus.join(path);
            support::trial(path, &needs, move || compare_file(&file))
        })
        .collect();
    let count = trials.len();
    let counted = Trial::test("the_corpus_has_files_that_deform", move || {
        support::check(count >= 40, || format!("{count} files of at least 40"))
    });
    support::run(trials.into_iter().chain([counted]).collect()).exit_code()
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// At rest, and at times of each clip by itself.
fn compare_file(file: &Path) -> Result<(), Failed> {
    let (mut content, _report) = gltf::load(file)?;
    let (options, log) = support::options();
    let mut renderer = Renderer::headless(SIZE, options)?;
    let mut compared = Compared { file, renderer: &mut renderer, pictures: 0, failures: String::new() };
    compared.pose(&mut content, "rest")?;
    for index in 0..content.animations.len().min(3) {
        let options = PlaybackOptions { loop_mode: LoopMode::Once, ..PlaybackOptions::default() };
        let (clip, binding) = (&content.animations[index], &content.bindings[index]);
        let duration = clip.duration();
        let playback = content.scene.play(clip, binding, options)?;
        for part in [0.17, 0.5, 0.83] {
            content.scene.seek(playback, part * duration)?;
            content.advance(0.0)?;
            compared.pose(&mut content, &format!("{index}-{part}"))?;
        }
        content.scene.stop(playback);
        content.scene.reset_pose();
    }
    let (pictures, failures) = (compared.pictures, compared.failures);
    drop(renderer);
    support::assert_clean(&log)?;
    support::check(failures.is_empty(), || format!("{pictures} pictures:\n{failures}"))
}

struct Compared<'a> {
    file: &'a Path,
    renderer: &'a mut Renderer,
    pictures: usize,
    failures: String,
}

impl Compared<'_> {
    fn pose(&mut self, content: &mut Content, name: &str) -> Result<(), Failed> {
        content.scene.update_world_transforms();
        let (assets, scene, camera) = baked(content)?;
        for view in [ViewMode::BaseColor, ViewMode::Normals] {
            self.renderer.set_view_mode(view);
            let mut draw = |assets: &RenderAssets, scene: &Scene| -> Result<Picture, Failed> {
                self.renderer.prepare(assets, scene)?;
                Ok(Picture::from_image(&self.renderer.render_to_image(scene, &camera)?))
            };
            let (ours, expected) = (draw(&content.assets, &content.scene)?, draw(&assets, &scene)?);
            let difference = ours.difference(&expected)?;
            let name = format!("{name}-{view:?}");
            let differs = difference.off2 > EDGES;
            let is_empty = expected.difference(&Picture::flat(&expected))?.off2 == 0.0;
            self.pictures += 1;
            if differs || is_empty {
                self.failures += &format!("{name}: {difference:?}, empty: {is_empty}\n");
            }
            if differs || std::env::var_os("KEEP_PICTURES").is_some() {
                let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deformed_pictures");
                std::fs::create_dir_all(&folder)?;
                let stem = self.file.file_name().map(|stem| stem.to_string_lossy()).unwrap_or_default();
                ours.save_comparison(&expected, &folder.join(format!("{stem}-{name}.png")))?;
            }
        }
        Ok(())
    }
}

/// The same picture without skins and targets, and a camera that sees all of it.
fn baked(content: &Content) -> Result<(RenderAssets, Scene, Camera), Failed> {
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    let (mut assets, mut scene) = (RenderAssets::new(), Scene::new());
    for image in content.assets.images() {
        assets.add_image(image.clone());
    }
    for texture in content.assets.textures() {
        assets.add_texture(texture.clone());
    }
    for material in content.assets.materials() {
        assets.add_material(material.clone());
    }
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for item in list.items() {
        let object = content.assets.render_object(item.render_object).ok_or("no object")?;
        let mesh = posed(content.assets.mesh(object.mesh).ok_or("no mesh")?, item, &list);
        for position in &mesh.positions {
            (low, high) = (low.min(*position), high.max(*position));
        }
        let mesh = assets.add_mesh(mesh);
        let object = assets.add_render_object(RenderObject { mesh, material: object.material });
        let node = scene.add_root("baked")?;
        scene.find_mut(node).ok_or("gone")?.set_render_object(Some(object));
    }
    scene.update_world_transforms();
    let (center, radius) = ((low + high) * 0.5, (high - low).length() * 0.5);
    let projection =
        Projection::Perspective { fov_y: 0.8, aspect: None, near: radius * 0.05, far: Some(radius * 10.0) };
    let eye = center + Vec3::new(0.5, 0.4, 1.0).normalize() * radius * 2.6;
    Ok((assets, scene, Camera::look_at(eye, center, Vec3::Y, projection)?))
}

/// The matrix of a vertex as columns, in 64 bits.
#[derive(Clone, Copy)]
struct Placed {
    part: DMat3,
    translation: DVec3,
}

impl Placed {
    fn of(matrices: impl Iterator<Item = (f64, Affine3x4)>) -> Self {
        let mut rows = [DVec4::ZERO; 3];
        for (weight, matrix) in matrices {
            for (sum, row) in rows.iter_mut().zip(matrix.rows) {
                *sum += row.as_dvec4() * weight;
            }
        }
        let part = DMat3::from_cols(rows[0].truncate(), rows[1].truncate(), rows[2].truncate()).transpose();
        Self { part, translation: DVec3::new(rows[0].w, rows[1].w, rows[2].w) }
    }
}

/// glTF 2.0, sections 3.7.2.2 and 3.7.3.3: targets first, then joints or else the node. Triangles that a transform turns
/// inside out are turned back, as the front of a mirrored node is its other side.
fn posed(mesh: &Mesh, item: &DrawItem, list: &DrawList) -> Mesh {
    let given = item.weights.of(list.morph_weights());
    let weights = if given.is_empty() { &mesh.morph_weights[..] } else { given };
    let targets = || mesh.morph_targets.iter().zip(weights.iter().map(|&weight| f64::from(weight)));
    let joints = item.joints.of(list.joint_matrices());
    let placed = |vertex: usize| {
        let influences = mesh.joint_sets.iter().flat_map(|set| {
            let pairs = set.joints[vertex].into_iter().zip(set.weights[vertex]);
            pairs.filter(|(_, weight)| *weight != 0.0)
        });
        match joints.is_empty() || mesh.joint_sets.is_empty() {
            true => Placed::of([(1.0, list.worlds()[item.world as usize])].into_iter()),
            false => Placed::of(influences.map(|(joint, w)| (f64::from(w), joints[usize::from(joint)]))),
        }
    };
    let moved = |base: Vec3, vertex: usize, stream: fn(&fire_engine::assets::MorphTarget) -> &Vec<Vec3>| {
        let deltas =
            targets().filter_map(|(target, weight)| Some(stream(target).get(vertex)?.as_dvec3() * weight));
        base.as_dvec3() + deltas.sum::<DVec3>()
    };
    let mut baked = Mesh { joint_sets: vec![], morph_targets: vec![], morph_weights: vec![], ..mesh.clone() };
    let places: Vec<Placed> = (0..mesh.positions.len()).map(placed).collect();
    for (vertex, place) in places.iter().enumerate() {
        let position = moved(mesh.positions[vertex], vertex, |target| &target.positions);
        baked.positions[vertex] = (place.part * position + place.translation).as_vec3();
        if let Some(normal) = baked.normals.get_mut(vertex) {
            let cofactors = DMat3::from_cols(
                place.part.y_axis.cross(place.part.z_axis),
                place.part.z_axis.cross(place.part.x_axis),
                place.part.x_axis.cross(place.part.y_axis),
            );
            let sign = if place.part.determinant() < 0.0 { -1.0 } else { 1.0 };
            let moved = cofactors * moved(*normal, vertex, |target| &target.normals) * sign;
            *normal = moved.normalize_or_zero().as_vec3();
        }
        if let Some(color) = baked.colors.get_mut(vertex) {
            let deltas = targets().filter_map(|(target, weight)| Some((target.colors.get(vertex)?, weight)));
            let add = |sum: [f64; 4], (delta, weight): (&Color4, f64)| {
                let delta = delta.to_array();
                std::array::from_fn(|c| sum[c] + f64::from(delta[c]) * weight)
            };
            let [r, g, b, a] =
                deltas.fold(color.to_array().map(f64::from), add).map(|c| c.clamp(0.0, 1.0) as f32);
            *color = Color4::new(r, g, b, a);
        }
        for (set, uvs) in baked.uv_sets.iter_mut().enumerate() {
            let Some(uv) = uvs.get_mut(vertex) else { continue };
            for (target, weight) in targets() {
                let delta = target.uv_sets.get(set).and_then(|deltas| deltas.get(vertex)).copied();
                *uv += delta.unwrap_or_default() * weight as f32;
            }
        }
    }
    if mesh.topology == Topology::Triangles {
        let mut indices = baked.indices.take().unwrap_or_else(|| (0..mesh.positions.len() as u32).collect());
        for triangle in indices.chunks_exact_mut(3) {
            if places[triangle[0] as usize].part.determinant() < 0.0 {
                triangle.swap(1, 2);
            }
        }
        baked.indices = Some(indices);
    }
    baked
}
