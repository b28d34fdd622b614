//! A panel without a window: frames are run and looked at, pointers and keys are made up.

use super::notices::notices;
use super::show::show;
use super::state::PanelState;
use super::typing;
use crate::app::view::deck::Deck;
use crate::app::view::figures::Figures;
use crate::app::view::order::Order;
use crate::app::view::seen::{RendererFacts, Seen};
use crate::app::view::stage::Stage;
use egui::{Context, Event, Id, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape, vec2};
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, LoopMode, SlotId,
    TargetPath,
};
use fire_engine::gltf::{LoadProgress, LoadReport};
use fire_engine::math::Vec3;
use fire_engine::scene::{ClipBinding, Content};
use fire_engine::vulkan::{CommandCounts, FrameTimings, MemoryUsage, PresentMode, ViewMode};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Content on show, of which the first clips play.
pub fn stage(mut content: Content) -> Stage {
    let playing = content.play_first().unwrap();
    let deck = Deck::new(&content, &playing, LoopMode::Forever);
    let mut stage =
        Stage { path: None, content, report: LoadReport::default(), deck, scene: None, lens: None };
    stage.advance(0.0).unwrap();
    stage
}

/// Content of one node, "box", and clips of these names and lengths, each of which moves it.
pub fn with_clips(clips: &[(&str, f32)]) -> Content {
    let mut content = Content::default();
    let node = content.scene.add_root("box").unwrap();
    for (number, &(name, length)) in clips.iter().enumerate() {
        let (timestamps, values) = if length > 0.0 {
            (vec![0.0, length], vec![Vec3::ZERO, Vec3::X])
        } else {
            (vec![0.0], vec![Vec3::X])
        };
        let (interpolation, values) = (Interpolation::Linear, Keyframes::Vec3(values));
        let sampler = AnimationSampler { interpolation, timestamps, values };
        let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Translation, sampler: 0 };
        content.animations.push(Animation::new(name, vec![sampler], vec![channel]).unwrap());
        content.bindings.push(ClipBinding::new(AnimationId::new(number as u32), vec![node]));
    }
    content
}

fn renderer() -> RendererFacts {
    RendererFacts {
        device: "no device".to_owned(),
        size: (1280, 2400),
        samples: 4,
        timings: FrameTimings::default(),
        counts: CommandCounts::default(),
        memory: MemoryUsage::default(),
        generation: 1,
        mode: ViewMode::BaseColor,
        modes: vec![ViewMode::BaseColor, ViewMode::Normals, ViewMode::UvChecker, ViewMode::Wireframe],
        present_mode: PresentMode::Fifo,
        present_modes: vec![PresentMode::Fifo, PresentMode::Immediate],
        clear_color: [0.0, 0.0, 0.0, 1.0],
    }
}

/// A panel, what it sees, and what it drew last.
pub struct Bench {
    pub context: Context,
    pub state: PanelState,
    pub stage: Stage,
    pub models: Vec<PathBuf>,
    pub refused: BTreeMap<PathBuf, String>,
    pub loading: Option<(String, Option<LoadProgress>)>,
    pub message: Option<String>,
    pub shows_keys: bool,
    pub figures: Figures,
    pub renderer: RendererFacts,
    pub is_full_screen: bool,
    pub is_shown: bool,
    /// What is being typed ends with the next frame.
    pub ends_typing: bool,
    pub size: egui::Vec2,
    /// Texts of the last frame that can be seen, and where they are.
    pub texts: Vec<(String, Rect)>,
    /// Number of shapes of the last frame.
    pub shapes: usize,
    /// What was put on the clipboard.
    pub copied: Option<String>,
    /// When the last frame wanted the next.
    pub repaint_after: Duration,
    time: f64,
}

impl Bench {
    /// Of a high window, so that much is in view.
    pub fn new(stage: Stage) -> Self {
        let mut bench = Self {
            context: Context::default(),
            state: PanelState::new(),
            stage,
            models: Vec::new(),
            refused: BTreeMap::new(),
            loading: None,
            message: None,
            shows_keys: false,
            figures: Figures::new(),
            renderer: renderer(),
            is_full_screen: false,
            is_shown: true,
            ends_typing: false,
            size: vec2(1280.0, 2400.0),
            texts: Vec::new(),
            shapes: 0,
            copied: None,
            repaint_after: Duration::MAX,
            time: 0.0,
        };
        assert_eq!(bench.settle(), [], "a panel that opens asks for nothing");
        bench
    }

    /// Shows what the panel sees.
    pub fn seen<T>(&mut self, look: impl FnOnce(&mut Seen<'_>) -> T) -> T {
        look(&mut Seen {
            stage: &self.stage,
            models: &self.models,
            refused: &self.refused,
            loading: self.loading.clone(),
            message: self.message.as_deref(),
            shows_keys: self.shows_keys,
            figures: &mut self.figures,
            renderer: &self.renderer,
            is_full_screen: self.is_full_screen,
        })
    }

    /// One frame with these events.
    pub fn frame(&mut self, events: Vec<Event>) -> Vec<Order> {
        self.time += 0.1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let mut orders = Vec::new();
        let (context, is_shown) = (self.context.clone(), self.is_shown);
        let mut ends_typing = std::mem::take(&mut self.ends_typing);
        let mut state = std::mem::take(&mut self.state);
        let output = self.seen(|seen| {
            context.run(input, |context| {
                if std::mem::take(&mut ends_typing) {
                    typing::end(context);
                }
                if is_shown {
                    show(context, &mut state, seen, &mut orders);
                }
                notices(context, &mut state, seen, is_shown, &mut orders);
            })
        });
        self.state = state;
        self.repaint_after = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        self.texts.clear();
        self.shapes = 0;
        for clipped in &output.shapes {
            gather(&clipped.shape, clipped.clip_rect, &mut self.texts, &mut self.shapes);
        }
        for command in output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                self.copied = Some(text);
            }
        }
        orders
    }

    /// Frames until nothing moves any more.
    pub fn settle(&mut self) -> Vec<Order> {
        (0..4).flat_map(|_| self.frame(Vec::new())).collect()
    }

    /// Presses and releases the pointer somewhere.
    pub fn click_at(&mut self, place: Pos2) -> Vec<Order> {
        let mut orders = self.press(place);
        orders.extend(self.release(place));
        orders.extend(self.settle());
        orders
    }

    /// Moves the pointer somewhere and presses it.
    pub fn press(&mut self, place: Pos2) -> Vec<Order> {
        let mut orders = self.frame(vec![Event::PointerMoved(place)]);
        orders.extend(self.frame(vec![button(place, true)]));
        orders
    }

    /// Moves the pointer somewhere and releases it.
    pub fn release(&mut self, place: Pos2) -> Vec<Order> {
        self.frame(vec![Event::PointerMoved(place), button(place, false)])
    }

    /// Clicks on the first text that begins so.
    pub fn click(&mut self, text: &str) -> Vec<Order> {
        let place = self.place(text).center();
        self.click_at(place)
    }

    /// Where the first text is that begins so.
    pub fn place(&self, text: &str) -> Rect {
        let found = self.texts.iter().find(|(found, _)| found.starts_with(text));
        found.unwrap_or_else(|| panic!("{text:?} is not among {:#?}", self.texts)).1
    }

    /// Whether a text contains this.
    pub fn says(&self, text: &str) -> bool {
        self.texts.iter().any(|(found, _)| found.contains(text))
    }

    /// Where a widget is.
    pub fn widget(&self, id: impl std::hash::Hash) -> Rect {
        self.context.read_response(Id::new(id)).expect("the widget is there").rect
    }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn gather(shape: &Shape, clip: Rect, texts: &mut Vec<(String, Rect)>, count: &mut usize) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| gather(shape, clip, texts, count)),
        Shape::Noop => {}
        Shape::Text(text) => {
            *count += 1;
            let rect = Rect::from_min_size(text.pos, text.galley.size());
            if clip.intersects(rect) {
                texts.push((text.galley.text().to_owned(), rect));
            }
        }
        _ => *count += 1,
    }
}
