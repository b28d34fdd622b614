//! The steps of importing images, and what becomes of those without pixels.

use super::fault::{reason, unavailable};
use super::job::run;
use super::pixels::Failure;
use super::plan::Plan;
use crate::assets::{ImageData, RenderAssets};
use crate::gltf::LoadError;
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use crate::gltf::usage::{Usage, Use};
use crate::gltf::workers::with_workers;
use crate::scene::ImageFile;
use std::fmt::Display;

/// Imports images under their own indices.
///
/// Only images that a texture slot uses are read and decoded; a white pixel stands in for each other one, so that the rest
/// keep their indices. It also stands in for images that cannot be had and would not be drawn. Returns for each image the
/// file that it was decoded from.
pub(in crate::gltf) fn import(
    source: &Source<'_>,
    usages: &[Usage],
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<Vec<Option<ImageFile>>, LoadError> {
    let mut plan = Plan::new(source, usages)?;
    let threads = match plan.shared.len() {
        0 | 1 => 1,
        total => source.options.thread_count().min(total),
    };
    let mut found = with_workers(threads, run, |workers| plan.read(workers, threads))?;
    let mut files = vec![None; source.json.images.len()];
    for (index, image) in source.json.images.iter().enumerate() {
        let path = Lazy(|| format!("images[{index}]"));
        // The first fault in the document's order is the one to tell, whichever was met first.
        if let Some((_, error)) = found.stopped.take_if(|(at, _)| *at == index) {
            return Err(error);
        }
        let mut data = match plan.of_image[index] {
            None => {
                let message = "nothing that is read here uses it; not decoded, a white pixel stands in";
                report.ignored(Severity::Info, path, message);
                ImageData::white()
            }
            Some(shared) => match plan.take(shared, &mut found, index) {
                Ok(data) => {
                    files[index] = plan.shared[shared].file();
                    plan.note(&plan.shared[shared], image, path, report);
                    data
                }
                Err(Failure::Absent(reason)) => stand_in(&reason, path, report),
                Err(Failure::Fault(fault)) => {
                    let error = unavailable(source, fault, path, image);
                    if usages[index].kind == Use::Drawn {
                        return Err(error);
                    }
                    stand_in(&reason(&error), path, report)
                }
            },
        };
        data.name = image.name.clone().unwrap_or_default();
        assets.add_image(data);
    }
    Ok(files)
}

fn stand_in(reason: &str, path: impl Display, report: &mut LoadReport) -> ImageData {
    let message = format!("{reason}; none of its textures is drawn, so a white pixel stands in");
    report.note(Severity::Warning, NoteKind::Ignored, path, message);
    ImageData::white()
}
