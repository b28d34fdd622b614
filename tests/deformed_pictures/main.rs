//! What the GPU makes of skins and morph targets against what the CPU does: each skinned or morphed file of the corpus, and
//! meshes made at random, are drawn in several poses, and again with the posed vertices as a mesh of their own that nothing
//! moves.
//!
//! Writes comparisons of what fails (or, with `KEEP_PICTURES` set, of everything) to `target/deformed_pictures`.

mod random;
#[path = "../gltf_loader/mutations/random.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod random_numbers;
#[path = "../support/mod.rs"]
mod support;

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::assets::{
    Mesh, MeshPose, PosedStreams, PosedVertices, RenderAssets, RenderObject, Topology,
};
use fire_engine::gltf;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Content, DrawItem, DrawList, Projection, Scene};
use fire_engine::vulkan::{Renderer, ViewMode};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use support::picture::Picture;

const SIZE: (u32, u32) = (160, 160);

/// Percent of the object's pixels that may differ: edges that rounding moves over a pixel's center.
const EDGES: f64 = 0.5;

/// Scenes made at random.
const RANDOM: u64 = 16;

fn main() -> ExitCode {
    let needs = support::validated_driver();
    let mut trials: Vec<Trial> = (0..RANDOM)
        .map(|seed| support::trial(format!("random scene {seed}"), &needs, move || compare_random(seed)))
        .collect();
    match support::shared().map(|shared| shared.join("gltf-conformance")) {
        None => trials.push(support::skipped("files", "../shared is absent")),
        Some(corpus) => match files(&corpus) {
            Err(error) => trials.push(Trial::test("files", || Err(error.into()))),
            Ok(files) => {
                let count = files.len();
                trials.extend(files.into_iter().map(|path| {
                    let file = corpus.join(&path);
                    support::trial(path, &needs, move || compare_file(&file))
                }));
                trials.push(Trial::test("the_corpus_has_files_that_deform", move || {
                    support::check(count >= 40, || format!("{count} files of at least 40"))
                }));
            }
        },
    }
    support::run(trials).exit_code()
}

/// The files of the corpus that must load, draw something, and have skins or morph targets.
fn files(corpus: &Path) -> Result<Vec<String>, String> {
    let manifest = read(&corpus.join("manifest.json"))?;
    let entries = manifest["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let deformed = entries.iter().filter(|entry| {
        let features = &entry["features"];
        entry["expect"] == "load"
            && entry["counts"]["scene_draws"].as_u64() > Some(0)
            && (features["skin_joints"].is_array() || features["morph_targets_max"].is_u64())
    });
    Ok(deformed.filter_map(|entry| entry["path"].as_str()).map(str::to_owned).collect())
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// At rest, and at times of each clip by itself.
fn compare_file(file: &Path) -> Result<(), Failed> {
    let (mut content, _report) = gltf::load(file)?;
    let stem = file.file_name().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    compare(&stem, &[ViewMode::BaseColor, ViewMode::Normals], |compared| {
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
        Ok(())
    })
}

fn compare_random(seed: u64) -> Result<(), Failed> {
    let views = [ViewMode::BaseColor, ViewMode::Normals, ViewMode::Emissive];
    let mut scene = random::RandomScene::new(seed)?;
    compare(&format!("random-{seed}"), &views, |compared| {
        for pose in 0..3 {
            scene.pose()?;
            compared.pose(&mut scene.content, &pose.to_string())?;
        }
        Ok(())
    })
}

fn compare(
    name: &str,
    views: &[ViewMode],
    poses: impl FnOnce(&mut Compared<'_>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (options, log) = support::options();
    let mut renderer = Renderer::headless(SIZE, options)?;
    let mut compared =
        Compared { name, views, renderer: &mut renderer, pictures: 0, failures: String::new() };
    poses(&mut compared)?;
    let (pictures, failures) = (compared.pictures, compared.failures);
    drop(renderer);
    support::assert_clean(&log)?;
    support::check(failures.is_empty(), || format!("{pictures} pictures:\n{failures}"))
}

struct Compared<'a> {
    name: &'a str,
    views: &'a [ViewMode],
    renderer: &'a mut Renderer,
    pictures: usize,
    failures: String,
}

impl Compared<'_> {
    fn pose(&mut self, content: &mut Content, name: &str) -> Result<(), Failed> {
        content.scene.update_world_transforms();
        let (assets, scene, camera) = baked(content)?;
        for &view in self.views {
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
                ours.save_comparison(&expected, &folder.join(format!("{}-{name}.png", self.name)))?;
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
        let mesh = posed(content.assets.mesh(object.mesh).ok_or("no mesh")?, item, &list)?;
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

/// The mesh as the item draws it, in world space, with nothing that moves it. Triangles that a transform turns inside out are
/// turned back, as the front of a mirrored node is its other side.
fn posed(mesh: &Mesh, item: &DrawItem, list: &DrawList) -> Result<Mesh, Failed> {
    // The sign of a tangent's w tells whether its vertex was mirrored.
    let tangents = vec![Vec3::X.extend(1.0); mesh.positions.len()];
    let mut mesh = Mesh { tangents, ..mesh.clone() };
    let mut posed = PosedVertices::default();
    let pose = MeshPose {
        weights: item.weights.of(list.morph_weights()),
        world: list.worlds()[item.world as usize],
        joints: item.joints.of(list.joint_matrices()),
    };
    posed.pose(&mesh, &pose, PosedStreams::ALL)?;
    if mesh.topology == Topology::Triangles {
        let counted = || (0..mesh.positions.len() as u32).collect();
        let mut indices = mesh.indices.take().unwrap_or_else(counted);
        for triangle in indices.chunks_exact_mut(3) {
            if posed.tangents[triangle[0] as usize].w < 0.0 {
                triangle.swap(1, 2);
            }
        }
        mesh.indices = Some(indices);
    }
    let PosedVertices { positions, normals, colors, uv_sets, .. } = posed;
    Ok(Mesh {
        positions,
        normals,
        colors,
        uv_sets,
        name: mesh.name,
        topology: mesh.topology,
        indices: mesh.indices,
        ..Mesh::default()
    })
}
