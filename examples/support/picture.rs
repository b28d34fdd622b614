//! After the last frame.

use super::options::Failure;
use fire_engine::assets::ImageData;
use fire_engine::vulkan::ValidationLog;
use std::path::Path;

/// Writes a picture of the renderer as PNG.
pub fn write(path: &Path, picture: &ImageData) -> Result<(), Failure> {
    let (width, height) = (picture.width, picture.height);
    image::save_buffer(path, picture.pixels(), width, height, image::ColorType::Rgba8)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    println!("Wrote {}.", path.display());
    Ok(())
}

/// Says what the validation layer found, once the renderer is gone; an error if it is to be `clean` and is not.
pub fn check_validation(clean: bool, log: &ValidationLog) -> Result<(), Failure> {
    let counts = log.counts();
    for message in log.messages() {
        eprintln!("{message}");
    }
    if clean {
        println!("Validation: {} errors, {} warnings.", counts.errors, counts.warnings);
    }
    if clean && !log.is_clean() { Err("the validation layer found faults".into()) } else { Ok(()) }
}
