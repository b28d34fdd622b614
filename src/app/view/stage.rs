//! The model on show, with what is chosen of it.

use super::arguments::ViewArguments;
use super::deck::Deck;
use crate::app::error::AppError;
use crate::app::selection;
use crate::app::timed_load::Loaded;
use fire_engine::animation::LoopMode;
use fire_engine::gltf::{LoadReport, SceneChoice};
use fire_engine::math::Bounds;
use fire_engine::scene::{Camera, Content, SceneNodeId, VariantId, posed_bounds};
use std::path::{Path, PathBuf};

/// A loaded model in its pose, and how one looks at it.
pub struct Stage {
    /// Its file; `None` for the built-in cube.
    pub path: Option<PathBuf>,
    /// What is drawn and played.
    pub content: Content,
    /// What became of the file's parts.
    pub report: LoadReport,
    /// The clips.
    pub deck: Deck,
    /// The scene of the file that was chosen.
    pub scene: Option<SceneChoice>,
    /// The node whose camera is looked through; `None` is around the model.
    pub lens: Option<SceneNodeId>,
}

impl Stage {
    /// Before the first model is loaded.
    pub fn empty(path: Option<PathBuf>) -> Self {
        let content = Content::default();
        let deck = Deck::new(&content, &[], LoopMode::default());
        Self { path, content, report: LoadReport::default(), deck, scene: None, lens: None }
    }

    /// A model that was opened, at its start.
    ///
    /// # Errors
    /// A clip that cannot be played.
    pub fn new(path: Option<PathBuf>, loaded: Loaded) -> Result<Self, AppError> {
        let Loaded { mut content, report, .. } = loaded;
        let playing = content.play_first()?;
        let deck = Deck::new(&content, &playing, LoopMode::default());
        Self { path, content, report, deck, scene: None, lens: None }.posed()
    }

    /// The first model, as the command line wants it.
    ///
    /// # Errors
    /// What was asked for and is not there; a clip that cannot be played.
    pub fn first(path: Option<PathBuf>, loaded: Loaded, wanted: &ViewArguments) -> Result<Self, AppError> {
        let Loaded { mut content, report, .. } = loaded;
        let playing = if wanted.clip.is_empty() { content.play_first()? } else { Vec::new() };
        let mut deck = Deck::new(&content, &playing, wanted.repeats.into());
        if !wanted.clip.is_empty() {
            for position in selection::clips(&wanted.clip, &content)? {
                deck.start(&mut content, position, 0.0)?;
            }
        }
        deck.paused = wanted.paused;
        for position in 0..deck.clips.len() {
            // To each the end that is asked for, also to those that were started without.
            deck.set(&mut content, position, deck.clips[position])?;
        }
        content.advance(wanted.time)?;
        if let Some(variant) = &wanted.variant {
            selection::show_variant(variant, &mut content)?;
        }
        let lens = wanted.camera.as_ref().map(|camera| selection::camera(camera, &content)).transpose()?;
        Self { path, content, report, deck, scene: None, lens }.posed()
    }

    /// The same file once more: time, clips, variant and camera stay as they were, as far as they are still there.
    ///
    /// # Errors
    /// A clip that cannot be played.
    pub fn again(loaded: Loaded, old: &Self) -> Result<Self, AppError> {
        let Loaded { mut content, report, .. } = loaded;
        let deck = Deck::restore(&mut content, &old.deck.remember(&old.content))?;
        let scene = &old.content.scene;
        let shown = scene.variant().and_then(|variant| scene.variants().nth(variant.index()));
        let variant = shown.and_then(|name| content.scene.find_variant(name));
        content.scene.set_variant(variant)?;
        let new = Self { path: old.path.clone(), content, report, deck, scene: None, lens: None };
        let lens = old.lens.and_then(|lens| new.camera_like(old, lens));
        Self { lens, ..new }.posed()
    }

    /// The camera that stands for one of `old`: at the same place among the cameras if it has the same name, else of the
    /// same name, if it has any.
    fn camera_like(&self, old: &Self, camera: SceneNodeId) -> Option<SceneNodeId> {
        let (position, (_, name)) = old.cameras().enumerate().find(|(_, (id, _))| *id == camera)?;
        let named = |(id, found): (SceneNodeId, &str)| (found == name).then_some(id);
        let same_place = self.cameras().nth(position).and_then(named);
        same_place.or_else(|| self.cameras().find_map(named).filter(|_| !name.is_empty()))
    }

    /// The pose is applied and resolved.
    fn posed(mut self) -> Result<Self, AppError> {
        self.advance(0.0)?;
        Ok(self)
    }

    /// Lets `seconds` pass for the clips, unless they stand still, and resolves the pose.
    ///
    /// # Errors
    /// As [`Content::advance`].
    pub fn advance(&mut self, seconds: f64) -> Result<(), AppError> {
        self.content.advance(self.deck.step(seconds))?;
        self.content.scene.update_world_transforms();
        Ok(())
    }

    /// What to call it.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "the panel shows it"))]
    pub fn name(&self) -> String {
        name(self.path.as_deref())
    }

    /// The nodes with cameras, with their names.
    pub fn cameras(&self) -> impl Iterator<Item = (SceneNodeId, &str)> {
        self.content.scene.cameras().map(|(node, _)| (node.id(), node.name()))
    }

    /// The camera that is looked through, fitted to a picture of that aspect; `None` for the view around the model, and
    /// where a camera sees nothing.
    pub fn camera(&self, aspect: f32) -> Option<Camera> {
        let camera = Camera::from_node(&self.content.scene, self.lens?)?;
        let camera = Camera { projection: camera.projection.fitted(aspect), ..camera };
        camera.view_projection(aspect).is_ok().then_some(camera)
    }

    /// Looks through the next camera; after the last around the model.
    pub fn next_camera(&mut self) {
        let mut cameras = self.cameras().map(|(id, _)| id).collect::<Vec<_>>().into_iter();
        self.lens = match self.lens {
            None => cameras.next(),
            Some(lens) => {
                let _before = cameras.find(|id| *id == lens);
                cameras.next()
            }
        };
    }

    /// The variant after the one that is shown; after the last none.
    pub fn next_variant(&self) -> Option<VariantId> {
        let scene = &self.content.scene;
        let next = scene.variant().map_or(0, |variant| variant.index() + 1);
        (next < scene.variants().len()).then(|| VariantId::new(next as u32))
    }

    /// How far the model reaches as it is posed, exactly.
    pub fn bounds(&self) -> Option<Bounds> {
        posed_bounds(&self.content.assets, &self.content.scene)
    }
}

/// What to call a file.
pub fn name(path: Option<&Path>) -> String {
    match path.map(|path| path.file_name().unwrap_or(path.as_os_str())) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "letter cube".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::timed_load::load;
    use clap::Parser;
    use fire_engine::gltf::LoadOptions;
    use fire_engine::scene::Projection;
    use std::ops::ControlFlow;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        view: ViewArguments,
    }

    fn wanted(arguments: &[&str]) -> ViewArguments {
        Line::try_parse_from([&["view"], arguments].concat()).unwrap().view
    }

    fn cube() -> Loaded {
        load(None, &LoadOptions::default(), |_| ControlFlow::Continue(())).unwrap()
    }

    /// The cube with two variants and these cameras.
    fn with_cameras(names: &[&str]) -> Loaded {
        let mut loaded = cube();
        let scene = &mut loaded.content.scene;
        for name in names {
            let node = scene.add_root(name).unwrap();
            let camera = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 };
            scene.find_mut(node).unwrap().set_camera(Some(camera));
        }
        scene.add_variant("red");
        scene.add_variant("blue");
        loaded
    }

    #[test]
    fn nothing_is_a_stage_too() {
        let mut stage = Stage::empty(None);
        stage.advance(1.0).unwrap();
        stage.next_camera();
        assert_eq!(stage.next_variant(), None);
        assert!(stage.camera(1.0).is_none() && stage.lens.is_none() && !stage.deck.moves(&stage.content));
    }

    #[test]
    fn an_opened_model_plays_from_its_start() {
        let stage = Stage::new(Some("a/cube.glb".into()), cube()).unwrap();
        assert_eq!((stage.name().as_str(), stage.deck.time(&stage.content, 0)), ("cube.glb", Some(0.0)));
        assert!(stage.deck.moves(&stage.content));
        assert_eq!(Stage::new(None, cube()).unwrap().name(), "letter cube");
    }

    #[test]
    fn the_first_model_is_as_the_command_line_wants_it() {
        let first = |arguments: &[&str]| Stage::first(None, with_cameras(&["front"]), &wanted(arguments));
        let stage =
            first(&["--time", "0.5", "--paused", "--camera", "front", "--variant", "1", "--loop", "once"])
                .unwrap();
        assert_eq!(stage.deck.time(&stage.content, 0), Some(0.5));
        assert_eq!(stage.content.scene.playbacks()[0].loop_mode(), LoopMode::Once);
        assert!(!stage.deck.moves(&stage.content) && stage.camera(1.0).is_some());
        assert_eq!(stage.content.scene.variant(), Some(VariantId::new(1)));
        let still = first(&["--clip", "none"]).unwrap();
        assert!(still.content.scene.playbacks().is_empty());
        for unknown in ["--clip", "--camera", "--variant"] {
            let error = first(&[unknown, "nobody"]).err().unwrap().to_string();
            assert!(error.contains("\"nobody\"") && error.contains("there are: 0"), "{error}");
        }
    }

    #[test]
    fn cameras_and_variants_come_round() {
        let mut stage = Stage::new(None, with_cameras(&["front", "side"])).unwrap();
        let mut seen = Vec::new();
        for _ in 0..4 {
            stage.next_camera();
            let next = stage.next_variant();
            stage.content.scene.set_variant(next).unwrap();
            let at = stage.lens.and_then(|lens| stage.cameras().position(|(id, _)| id == lens));
            seen.push((at, stage.content.scene.variant().map(|variant| variant.index())));
        }
        assert_eq!(seen, [Some(0), Some(1), None, Some(0)].map(|at| (at, at)));
    }

    #[test]
    fn what_is_loaded_again_keeps_time_camera_and_variant_by_name() {
        let mut old = Stage::new(Some("cube.glb".into()), with_cameras(&["front", "side", "side"])).unwrap();
        old.advance(0.75).unwrap();
        old.deck.paused = true;
        old.content.scene.set_variant(Some(VariantId::new(1))).unwrap();
        let third = old.cameras().nth(2).map(|(id, _)| id);
        old.lens = third;
        let place = |stage: &Stage| stage.cameras().position(|(id, _)| Some(id) == stage.lens);
        let same = Stage::again(with_cameras(&["front", "side", "side"]), &old).unwrap();
        assert_eq!((same.name().as_str(), place(&same)), ("cube.glb", Some(2)));
        assert_eq!((same.deck.time(&same.content, 0), same.deck.paused), (Some(0.75), true));
        assert_eq!(same.content.scene.variant(), Some(VariantId::new(1)));
        let moved = Stage::again(with_cameras(&["new", "side"]), &old).unwrap();
        assert_eq!(place(&moved), Some(1));
        let gone = Stage::again(with_cameras(&["front"]), &old).unwrap();
        assert_eq!((gone.lens, gone.deck.time(&gone.content, 0)), (None, Some(0.75)));
    }
}
