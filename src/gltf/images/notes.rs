//! What the report says of images that have their pixels.

use super::plan::{Plan, Shared, State};
use crate::gltf::document::Image;
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::text::shown;
use crate::gltf::uri::bare_percent;
use std::fmt::Display;

impl Plan<'_, '_> {
    pub fn note(
        &self,
        shared: &Shared<'_>,
        image: &Image,
        path: impl Display + Copy,
        report: &mut LoadReport,
    ) {
        let usage = &shared.usage;
        if let Some(note) = image.uri.as_deref().and_then(bare_percent) {
            report.repaired(format_args!("{path}.uri"), note);
        }
        if let State::Read { kind, header, .. } = shared.state {
            if let (Some(declared), Some(found)) = (&image.mime_type, kind.mime())
                && declared != found
            {
                report.repaired(path, format!("declared as \"{}\", found to be {found}", shown(declared)));
            }
            if let (Some(_), None) = (image.buffer_view, &image.mime_type) {
                let message = format!(
                    "it lacks the mimeType that it needs beside a bufferView; found to be {}",
                    kind.name()
                );
                report.repaired(path, message);
            }
            if header.cut_off {
                let message = "it is cut off; what there is of it is shown";
                report.note(Severity::Warning, NoteKind::Approximated, path, message);
            }
            if header.rounded {
                let (severity, message) = if usage.data {
                    (
                        Severity::Warning,
                        "its 16 bits are rounded to 8 for data too, because a slot reads it as color",
                    )
                } else {
                    (Severity::Info, "its 16 bits are rounded to 8, as those of all colors")
                };
                report.note(severity, NoteKind::Approximated, path, message);
            }
            let unfit = match header.srgb {
                Some(true) if usage.data => Some(("sRGB", "data")),
                Some(false) if usage.color => Some(("linear", "colors")),
                _ => None,
            };
            if let Some((is, other)) = unfit {
                let message =
                    format!("its pixels are marked as {is}, and a slot reads them as {other} all the same");
                report.note(Severity::Warning, NoteKind::Repaired, path, message);
            }
        }
        let Some((first, _)) = usage.mask.filter(|_| self.source.options.mask_coverage_mips) else { return };
        if usage.blended || usage.data {
            let other = if usage.blended { "a material that blends" } else { "a slot for data" };
            let message =
                format!("{other} uses it too, so its mip levels do not keep the coverage of a mask");
            report.note(Severity::Warning, NoteKind::Approximated, path, message);
        } else if usage.other_masks {
            let message = format!(
                "materials mask it by different cutoffs; its mip levels keep the coverage of materials[{first}]"
            );
            report.note(Severity::Warning, NoteKind::Approximated, path, message);
        }
    }
}
