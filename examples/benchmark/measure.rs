//! Measures each phase of each frame.

use crate::app::error::AppError;
use crate::app::framing::Framing;
use crate::app::picture;
use crate::app::progress::{Next, Progress};
use crate::app::show::Show;
use crate::statistics::Summary;
use crate::workload::Workload;
use fire_engine::vulkan::{CommandCounts, FrameOutcome, FrameTimings, Renderer, RendererInfo};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Frames before the first that is measured.
pub const WARM_UP: u64 = 16;

/// Seconds by which the clips move in a frame.
const STEP: f64 = 1.0 / 60.0;

/// A phase's name in JSON, and in words.
pub const PHASES: [(&str, &str); 15] = [
    ("animation", "advancing the clips"),
    ("world_resolve", "resolving world transforms"),
    ("draw_list", "checking draw list and batches"),
    ("preparation_check", "checking that nothing must be compiled"),
    ("upload", "copying matrices and tables"),
    ("recording", "recording commands"),
    ("pool_reset", "resetting the command pool"),
    ("recording_and_pool_reset", "both together"),
    ("submission", "submitting"),
    ("frame_wait", "(wait) for the GPU to finish an older frame"),
    ("acquire", "(wait) for a window's image"),
    ("swapchain", "making a window's swapchain anew"),
    ("presentation", "presenting"),
    ("gpu", "the frame on the GPU, by its timestamps"),
    ("cpu_frame", "the whole frame on the CPU, waits included"),
];

/// Position of `recording_and_pool_reset` in [`PHASES`].
const RECORDING_AND_RESET: usize = 7;

/// The times that the benchmark takes itself.
struct Outside {
    animation: Duration,
    world_resolve: Duration,
    preparation_check: Duration,
    cpu_frame: Duration,
}

/// A show that notes where the time goes.
pub struct Measurement {
    workload: Workload,
    picture: Option<PathBuf>,
    framing: Framing,
    progress: Progress,
    wanted: u64,
    /// Frames that were shown as they should be, or suboptimal ones while warming up.
    accepted: u64,
    discarded: u64,
    /// For each phase its microseconds in each measured frame.
    samples: [Vec<f64>; PHASES.len()],
    info: Option<RendererInfo>,
    commands: CommandCounts,
    generation: u64,
}

impl Measurement {
    /// To measure `frames` frames of `workload`, and write the last one to `picture`.
    pub fn new(workload: Workload, frames: u64, picture: Option<PathBuf>) -> Self {
        Self {
            framing: Framing::of(&workload.content),
            workload,
            picture,
            progress: Progress::new(None),
            wanted: frames,
            accepted: 0,
            discarded: 0,
            samples: std::array::from_fn(|_| Vec::new()),
            info: None,
            commands: CommandCounts::default(),
            generation: 0,
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.workload.content.scene.len()
    }

    /// Frames measured.
    pub fn measured(&self) -> u64 {
        self.accepted.saturating_sub(WARM_UP)
    }

    /// Frames that were not shown, or suboptimal.
    pub fn discarded(&self) -> u64 {
        self.discarded
    }

    /// The renderer's facts, once it started.
    pub fn info(&self) -> Option<&RendererInfo> {
        self.info.as_ref()
    }

    /// Commands of the last frame.
    pub fn commands(&self) -> CommandCounts {
        self.commands
    }

    /// How often something was compiled: once.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Every phase that was measured, in order.
    pub fn phases(&self) -> impl Iterator<Item = (&'static str, &'static str, Summary)> {
        PHASES
            .iter()
            .zip(&self.samples)
            .filter_map(|(&(name, words), samples)| Some((name, words, Summary::of(samples)?)))
    }

    /// Median nanoseconds of recording and pool reset for each draw.
    pub fn recording_ns_per_draw(&self) -> Option<f64> {
        let median = Summary::of(&self.samples[RECORDING_AND_RESET])?.median;
        (self.commands.instances > 0).then(|| median * 1000.0 / f64::from(self.commands.instances))
    }

    fn note(&mut self, outside: &Outside, inside: &FrameTimings) {
        let phases: [Option<Duration>; PHASES.len()] = [
            Some(outside.animation),
            Some(outside.world_resolve),
            Some(inside.batching),
            Some(outside.preparation_check),
            Some(inside.upload),
            Some(inside.recording),
            Some(inside.pool_reset),
            Some(inside.recording + inside.pool_reset),
            Some(inside.submission),
            Some(inside.frame_wait),
            Some(inside.acquire),
            Some(inside.swapchain),
            Some(inside.presentation),
            inside.gpu,
            Some(outside.cpu_frame),
        ];
        for (samples, phase) in self.samples.iter_mut().zip(phases) {
            samples.extend(phase.map(|time| time.as_secs_f64() * 1e6));
        }
    }
}

impl Show for Measurement {
    fn start(&mut self, renderer: &mut Renderer) -> Result<(), AppError> {
        self.info = Some(renderer.info());
        Ok(renderer.prepare(&self.workload.content.assets, &self.workload.content.scene)?)
    }

    fn frame(&mut self, renderer: &mut Renderer, now: Instant) -> Result<Next, AppError> {
        let camera = self.framing.camera(renderer.size())?;
        self.workload.move_root(self.accepted)?;
        let content = &mut self.workload.content;

        let begun = Instant::now();
        content.advance(STEP)?;
        let advanced = Instant::now();
        content.scene.update_world_transforms();
        let resolved = Instant::now();
        renderer.prepare(&content.assets, &content.scene)?;
        let checked = Instant::now();
        let outcome = renderer.draw_frame(&content.scene, &camera)?;
        let drawn = Instant::now();

        let next = self.progress.record(outcome, now)?;
        if outcome != FrameOutcome::Presented {
            self.discarded += 1;
        }
        // A suboptimal frame warms up as well as any other, but is no measure: the swapchain is made anew after it.
        let warms_up = self.accepted < WARM_UP;
        match outcome {
            FrameOutcome::NotPresented => return Ok(next),
            FrameOutcome::Suboptimal if !warms_up => return Ok(next),
            FrameOutcome::Suboptimal | FrameOutcome::Presented => {}
        }
        self.accepted += 1;
        if warms_up {
            return Ok(Next::Continue);
        }
        let outside = Outside {
            animation: advanced - begun,
            world_resolve: resolved - advanced,
            preparation_check: checked - resolved,
            cpu_frame: drawn - begun,
        };
        self.note(&outside, &renderer.timings());
        Ok(if self.measured() >= self.wanted { Next::Done } else { Next::Continue })
    }

    fn finish(&mut self, renderer: &mut Renderer) -> Result<(), AppError> {
        self.commands = renderer.command_counts();
        self.generation = renderer.preparation().generation();
        if let Some(path) = &self.picture {
            let camera = self.framing.camera(renderer.size())?;
            picture::write(path, &renderer.render_to_image(&self.workload.content.scene, &camera)?)?;
        }
        Ok(())
    }
}
