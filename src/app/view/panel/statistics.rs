//! What a frame costs.

use super::drawn::Drawn;
use super::facts::{fact, said, title};
use super::graph;
use super::text::{self, count};
use crate::app::inspect::lines::bytes;
use crate::app::view::figures::milliseconds;
use crate::app::view::seen::{RendererFacts, Seen};
use egui::Ui;

const NONE: &str = "\u{2013}";

/// Draws the section.
pub fn show(ui: &mut Ui, seen: &mut Seen<'_>, drawn: &mut Drawn) {
    let of = |time: Option<f32>| time.map_or(NONE.to_owned(), |time| format!("{time:.2} ms"));
    let late = seen.figures.quantile(0.99);
    fact(ui, "frames a second", &seen.figures.rate().map_or(NONE.to_owned(), |rate| format!("{rate:.1}")));
    fact(ui, "median frame", &of(seen.figures.quantile(0.5)));
    fact(ui, "99th percentile", &of(late));
    graph::show(ui, seen.figures, late.unwrap_or(0.0));
    let renderer = seen.renderer;
    times(ui, renderer);
    title(ui, "Drawn");
    drawn.update(seen.stage);
    fact(ui, "commands", &count(renderer.counts.draw_indirect.into()));
    fact(ui, "calls", &count(renderer.counts.calls.into()));
    fact(ui, "instances", &count(renderer.counts.instances.into()));
    fact(ui, "vertices", &count(drawn.vertices));
    for (name, number) in [("triangles", drawn.triangles), ("lines", drawn.lines), ("points", drawn.points)] {
        if number > 0 || name == "triangles" {
            fact(ui, name, &count(number));
        }
    }
    title(ui, "Memory of the device");
    fact(ui, "in use", &bytes(renderer.memory.allocated_bytes));
    fact(ui, "taken from the driver", &bytes(renderer.memory.reserved_bytes));
    fact(ui, "buffers and images", &count(renderer.memory.allocations as u64));
    title(ui, "Renderer");
    said(ui, "device", &text::name(&renderer.device));
    fact(ui, "picture", &format!("{} x {}", renderer.size.0, renderer.size.1));
    fact(ui, "samples", &renderer.samples.to_string());
    fact(ui, "compilations", &count(renderer.generation));
}

fn times(ui: &mut Ui, renderer: &RendererFacts) {
    let timings = &renderer.timings;
    title(ui, "GPU");
    fact(ui, "whole frame", &milliseconds(timings.gpu));
    fact(ui, "scene", &milliseconds(timings.gpu_scene));
    fact(ui, "overlay", &milliseconds(timings.gpu_overlay));
    fact(ui, "output", &milliseconds(timings.gpu_output));
    title(ui, "CPU");
    for (name, time) in [
        ("batching", timings.batching),
        ("upload", timings.upload),
        ("recording", timings.recording),
        ("submission", timings.submission),
        ("presentation", timings.presentation),
        ("waiting for the GPU", timings.frame_wait),
        ("waiting for the window", timings.acquire),
        ("swapchain", timings.swapchain),
    ] {
        fact(ui, name, &milliseconds(Some(time)));
    }
}
