//! What stands for the panel in a program that was built without the feature `egui`: nothing is drawn over the picture.

use super::covered::Covered;
use super::order::Order;
use super::scenery::Scenery;
use crate::app::error::AppError;
use fire_engine::winit::WindowContext;
use std::time::Instant;
use winit::event::WindowEvent;

/// No panel.
pub struct Panel;

impl Panel {
    pub fn new(_: &WindowContext<'_>) -> Self {
        Self
    }

    pub fn takes(&mut self, _: &WindowContext<'_>, _: &WindowEvent) -> bool {
        false
    }

    pub fn draw(
        &mut self,
        _: &mut WindowContext<'_>,
        _: Scenery<'_>,
        _: bool,
        _: Instant,
        _: &mut Vec<Order>,
    ) -> Result<Option<Instant>, AppError> {
        Ok(None)
    }

    pub fn covered(&self) -> Covered {
        Covered::default()
    }

    pub fn shown(&mut self, _: Instant) {}

    pub fn rests(&mut self) {}
}
