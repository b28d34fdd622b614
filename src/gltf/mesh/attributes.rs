//! Attributes: what each may be stored as, and reading them.

use crate::assets::Color4;
use crate::gltf::LoadError;
use crate::gltf::accessor::{Accessors, Elements};
use crate::gltf::document::Whole;
use crate::gltf::layout::{Component, shape};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use bytemuck::Pod;
use std::cell::Cell;
use std::fmt::Display;

/// Sets of one attribute from this number on are reported and left out; no known exporter writes half as many.
const SETS: usize = 16;

/// What an attribute says about a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Semantic {
    Position,
    Normal,
    Tangent,
    Uv(usize),
    Color,
    Joints(usize),
    Weights(usize),
}

impl Semantic {
    /// `None` for custom, unknown and surplus ones.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "POSITION" => return Some(Self::Position),
            "NORMAL" => return Some(Self::Normal),
            "TANGENT" => return Some(Self::Tangent),
            "COLOR_0" => return Some(Self::Color),
            _ => {}
        }
        let (name, digits) = name.rsplit_once('_')?;
        // "TEXCOORD_01" and "TEXCOORD_+1" would parse too, and are other names.
        let set = match digits.as_bytes() {
            [b'0'] => 0,
            [b'1'..=b'9', ..] => digits.parse().ok().filter(|&set| set < SETS)?,
            _ => return None,
        };
        match name {
            "TEXCOORD" => Some(Self::Uv(set)),
            "JOINTS" => Some(Self::Joints(set)),
            "WEIGHTS" => Some(Self::Weights(set)),
            _ => None,
        }
    }
}

const BYTE: (Component, bool) = (Component::I8, true);
const UNSIGNED_BYTE: (Component, bool) = (Component::U8, true);
const SHORT: (Component, bool) = (Component::I16, true);
const UNSIGNED_SHORT: (Component, bool) = (Component::U16, true);
const FLOAT: (Component, bool) = (Component::F32, false);

const fn whole(kind: (Component, bool)) -> (Component, bool) {
    (kind.0, false)
}

/// What an attribute may be stored as.
struct Formats {
    /// Numbers of components.
    shapes: &'static [usize],
    /// Component types, with whether they are normalized.
    core: &'static [(Component, bool)],
    /// More of them, if the document declares KHR_mesh_quantization.
    quantized: &'static [(Component, bool)],
}

/// The tables of glTF 2.0, sections 3.7.2.1 and 3.7.2.2 (for displacements), and of KHR_mesh_quantization.
fn formats(semantic: Semantic, displaces: bool) -> Formats {
    const NONE: &[(Component, bool)] = &[];
    const SIGNED: &[(Component, bool)] = &[BYTE, SHORT];
    const SIGNED_OR_WHOLE: &[(Component, bool)] = &[BYTE, SHORT, whole(BYTE), whole(SHORT)];
    const ANY: &[(Component, bool)] = &[
        BYTE,
        SHORT,
        UNSIGNED_BYTE,
        UNSIGNED_SHORT,
        whole(BYTE),
        whole(SHORT),
        whole(UNSIGNED_BYTE),
        whole(UNSIGNED_SHORT),
    ];
    const FLOATS: &[(Component, bool)] = &[FLOAT];
    const FRACTIONS: &[(Component, bool)] = &[FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT];
    const SIGNED_FRACTIONS: &[(Component, bool)] = &[FLOAT, BYTE, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT];
    const COUNTS: &[(Component, bool)] = &[whole(UNSIGNED_BYTE), whole(UNSIGNED_SHORT)];

    let fractions = if displaces { SIGNED_FRACTIONS } else { FRACTIONS };
    let (shapes, core, quantized): (&[usize], _, _) = match semantic {
        Semantic::Position => (&[3], FLOATS, if displaces { SIGNED_OR_WHOLE } else { ANY }),
        Semantic::Normal => (&[3], FLOATS, SIGNED),
        // The sign in w is not displaced.
        Semantic::Tangent => (if displaces { &[3] } else { &[4] }, FLOATS, SIGNED),
        Semantic::Uv(_) => (&[2], fractions, if displaces { NONE } else { ANY }),
        Semantic::Color => (&[3, 4], fractions, NONE),
        Semantic::Joints(_) => (&[4], COUNTS, NONE),
        Semantic::Weights(_) => (&[4], FRACTIONS, NONE),
    };
    Formats { shapes, core, quantized }
}

/// Reads the attributes of one primitive, or of one morph target.
pub(super) struct Reader<'a> {
    pub source: &'a Source<'a>,
    pub accessors: &'a Accessors<'a>,
    /// The object that names the attributes.
    pub path: &'a dyn Display,
    /// Whether the document declares KHR_mesh_quantization.
    pub quantized: bool,
    /// Whether the attributes are displacements.
    pub displaces: bool,
    /// Cleared when a component that was read is not finite.
    pub finite: &'a Cell<bool>,
}

impl<'a> Reader<'a> {
    /// Where an attribute stands.
    pub fn path_of(&self, name: &str) -> impl Display + Copy {
        Lazy(move || format!("{}.{name}", self.path))
    }

    /// Looks an attribute up and checks its number of elements and its format.
    pub fn elements(
        &self,
        semantic: Semantic,
        name: &str,
        accessor: Whole,
        vertices: Option<usize>,
    ) -> Result<Elements<'a>, LoadError> {
        let path = self.path_of(name);
        let elements = self.accessors.elements(accessor, path)?;
        if let Some(vertices) = vertices
            && vertices != elements.count
        {
            let reason = format!(
                "{} elements, but POSITION has {vertices}; give every attribute as many",
                elements.count
            );
            return Err(self.source.invalid(path, reason));
        }
        self.check_format(semantic, name, &elements)?;
        Ok(elements)
    }

    fn check_format(&self, semantic: Semantic, name: &str, elements: &Elements<'_>) -> Result<(), LoadError> {
        let format = elements.format;
        // FLOAT has no use for the flag, so it says nothing there.
        let kind = (format.component, format.normalized && format.component != Component::F32);
        let Formats { shapes, core, quantized } = formats(semantic, self.displaces);
        let fits = shapes.contains(&format.components);
        let quantizes = fits && quantized.contains(&kind);
        if fits && core.contains(&kind) || quantizes && self.quantized {
            return Ok(());
        }
        let hint = if quantizes { " (or declare KHR_mesh_quantization, if it is used)" } else { "" };
        let due = if matches!(semantic, Semantic::Joints(_)) { "UNSIGNED_SHORT" } else { "FLOAT" };
        let names: Vec<_> = shapes.iter().copied().map(shape).collect();
        let reason = format!(
            "accessors[{}] is {format}, which {name} may not be; export it as {due} {}{hint}",
            elements.index,
            names.join(" or ")
        );
        Err(self.source.unsupported(self.path_of(name), reason))
    }

    /// Reads one `T` a vertex; `T` is as many floats as the format has components.
    pub fn floats<T: Pod>(
        &self,
        semantic: Semantic,
        name: &str,
        accessor: Whole,
        vertices: usize,
    ) -> Result<Vec<T>, LoadError> {
        let elements = self.elements(semantic, name, accessor, Some(vertices))?;
        self.convert(&elements)
    }

    /// Converts; displacements of which the document gives no data are none, and take no memory.
    pub fn convert<T: Pod>(&self, elements: &Elements<'_>) -> Result<Vec<T>, LoadError> {
        if self.displaces && elements.are_zeros() {
            return Ok(Vec::new());
        }
        let (values, bad) = self.accessors.seen_floats(elements, |part: &[T]| {
            let components: &[f32] = bytemuck::cast_slice(part);
            // Without a way out, so that several are compared at a time.
            components.iter().fold(false, |bad, component| bad | !component.is_finite())
        })?;
        if bad {
            self.finite.set(false);
        }
        Ok(values)
    }

    /// Reads colors of three or four components; a missing alpha becomes `alpha`.
    pub fn colors(
        &self,
        name: &str,
        accessor: Whole,
        vertices: usize,
        alpha: f32,
    ) -> Result<Vec<Color4>, LoadError> {
        let elements = self.elements(Semantic::Color, name, accessor, Some(vertices))?;
        if elements.format.components == 4 {
            return self.convert(&elements);
        }
        let colors: Vec<[f32; 3]> = self.convert(&elements)?;
        let mut out: Vec<Color4> = self.source.zeros(colors.len(), self.path_of(name))?;
        for (color, &[r, g, b]) in out.iter_mut().zip(&colors) {
            *color = Color4::new(r, g, b, alpha);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_attributes_are_named_exactly() {
        assert_eq!(Semantic::named("TEXCOORD_0"), Some(Semantic::Uv(0)));
        assert_eq!(Semantic::named("TEXCOORD_15"), Some(Semantic::Uv(15)));
        assert_eq!(Semantic::named("JOINTS_1"), Some(Semantic::Joints(1)));
        assert_eq!(Semantic::named("WEIGHTS_0"), Some(Semantic::Weights(0)));
        for other in [
            "TEXCOORD_16",
            "TEXCOORD_01",
            "TEXCOORD_",
            "TEXCOORD_+1",
            "texcoord_0",
            "TEXCOORD_99999999999",
            "COLOR_1",
            "_JOINTS_0",
            "NORMAL_0",
            "",
            "_",
        ] {
            assert_eq!(Semantic::named(other), None, "{other}");
        }
    }
}
