//! The panel beside the picture, drawn with egui.
