//! Reading accessors in bulk.

use super::LoadError;
use super::convert::{fill_f32, fill_u16, fill_u32};
use super::document::Whole;
use super::layout::{Component, Format, Layout, Span, layouts};
use super::report::LoadReport;
use super::source::{Part, Source};
use super::text::Lazy;
use super::transfer::{Kernel, Transfer};
use bytemuck::Pod;
use std::fmt::Display;

/// Where elements lie.
#[derive(Clone, Copy)]
struct Place<'a> {
    part: Part<'a>,
    /// Bytes from one to the next.
    stride: usize,
}

/// An accessor with its bytes.
pub(super) struct Elements<'a> {
    pub index: usize,
    pub format: Format,
    pub count: usize,
    /// `None`: all zeros, before the overlay.
    base: Option<Place<'a>>,
    overlay: Option<Overlay<'a>>,
}

impl Elements<'_> {
    /// Whether every element is zero because the document gives no data at all.
    pub fn are_zeros(&self) -> bool {
        self.base.is_none() && self.overlay.is_none()
    }
}

/// The sparse part: which elements to replace, and by what.
struct Overlay<'a> {
    positions: Vec<u32>,
    values: Place<'a>,
}

/// The document's accessors, all of them checked.
pub(super) struct Accessors<'a> {
    source: &'a Source<'a>,
    layouts: Vec<Layout>,
}

impl<'a> Accessors<'a> {
    /// Checks every accessor and buffer view.
    pub fn new(source: &'a Source<'a>, report: &mut LoadReport) -> Result<Self, LoadError> {
        Ok(Self { source, layouts: layouts(source, report)? })
    }

    /// Counts memory that something of so many elements will take besides them.
    pub fn charge(&self, count: usize, bytes_each: u64, path: impl Display) -> Result<(), LoadError> {
        self.source.charge((count as u64).saturating_mul(bytes_each), path)
    }

    /// The number of an accessor's elements, whatever they are.
    pub fn count(&self, accessor: Whole, referrer: impl Display) -> Result<usize, LoadError> {
        self.source.get(&self.layouts, "accessor", accessor, referrer).map(|(_, layout)| layout.count)
    }

    /// Looks an accessor up; of its data only the sparse indices are read.
    pub fn elements(&self, accessor: Whole, referrer: impl Display) -> Result<Elements<'a>, LoadError> {
        let (index, layout) = self.source.get(&self.layouts, "accessor", accessor, referrer)?;
        let path = Lazy(|| format!("accessors[{index}]"));
        let Some(format) = layout.format else {
            let reason = "its type is MAT2 or MAT3, which nothing here can be; it must be SCALAR, VEC2, VEC3, VEC4 or MAT4";
            return Err(self.source.unsupported(path, reason));
        };
        let count = layout.count;
        let base = layout.base.map(|span| self.place(span, path)).transpose()?;
        let Some(sparse) = &layout.sparse else {
            return Ok(Elements { index, format, count, base, overlay: None });
        };
        let path = Lazy(|| format!("{path}.sparse.indices"));
        let mut positions: Vec<u32> = self.source.zeros(sparse.count, path)?;
        let indices = Format { component: sparse.component, components: 1, normalized: false };
        self.transfer(indices, self.place(sparse.indices, path)?, UNSIGNED, &mut positions, &unseen)?;
        if !positions.is_sorted_by(|a, b| a < b) || positions.last().is_some_and(|&p| p as usize >= count) {
            let reason =
                format!("its values must increase strictly and stay below the accessor's count, {count}");
            return Err(self.source.invalid(path, reason));
        }
        let values = self.place(sparse.values, path)?;
        Ok(Elements { index, format, count, base, overlay: Some(Overlay { positions, values }) })
    }

    fn place(&self, span: Span, path: impl Display) -> Result<Place<'a>, LoadError> {
        let Part { piece, buffer } = self.source.view(span.view, &path)?;
        let piece = piece.get(span.start..span.end);
        let piece = piece.ok_or_else(|| self.source.invalid(path, "its data is shorter than declared"))?;
        Ok(Place { part: Part { piece, buffer }, stride: span.stride })
    }

    /// Converts to `f32`, normalized integers to 0..1 or -1..1, others as they are. `T` is that many `f32` in a row.
    pub fn floats<T: Pod>(&self, elements: &Elements<'_>) -> Result<Vec<T>, LoadError> {
        Ok(self.seen_floats(elements, unseen)?.0)
    }

    /// As [`floats`](Self::floats), with the largest of what `see` makes of its parts, which together are all of it. That
    /// costs less than to go through them later.
    pub fn seen_floats<T: Pod, S: Ord + Default + Send>(
        &self,
        elements: &Elements<'_>,
        see: impl Fn(&[T]) -> S + Sync,
    ) -> Result<(Vec<T>, S), LoadError> {
        self.convert(elements, FLOAT, see)
    }

    /// Converts unsigned integers to `u32`, and finds the largest.
    pub fn integers(&self, elements: &Elements<'_>) -> Result<(Vec<u32>, u32), LoadError> {
        let largest = |part: &[u32]| part.iter().copied().fold(0, u32::max);
        self.convert(elements, UNSIGNED, largest)
    }

    /// Four unsigned integers of at most 16 bits each.
    pub fn quadruples(&self, elements: &Elements<'_>) -> Result<Vec<[u16; 4]>, LoadError> {
        Ok(self.convert(elements, UNSIGNED_SHORT, unseen)?.0)
    }

    fn convert<T: Pod, C: Pod + Send, S: Ord + Default + Send>(
        &self,
        elements: &Elements<'_>,
        kernel: Kernel<C>,
        see: impl Fn(&[T]) -> S + Sync,
    ) -> Result<(Vec<T>, S), LoadError> {
        let path = Lazy(|| format!("accessors[{}]", elements.index));
        let (count, format) = (elements.count, elements.format);
        debug_assert_eq!(size_of::<T>(), format.components * size_of::<C>());
        if elements.base.is_none() {
            self.source.charge_unbacked((count as u64).saturating_mul(size_of::<T>() as u64), path)?;
        }
        let see = |components: &[C]| see(bytemuck::cast_slice(components));
        let mut out: Vec<T> = self.source.zeros(count, path)?;
        let flat: &mut [C] = bytemuck::cast_slice_mut(&mut out);
        let mut seen = match elements.base {
            Some(base) => self.transfer(format, base, kernel, flat, &see)?,
            None => see(flat),
        };
        if let Some(overlay) = &elements.overlay {
            let components = format.components;
            let mut values: Vec<C> = self.source.zeros(overlay.positions.len() * components, path)?;
            self.transfer(format, overlay.values, kernel, &mut values, &unseen)?;
            for (&position, value) in overlay.positions.iter().zip(values.chunks_exact(components)) {
                flat[position as usize * components..][..components].copy_from_slice(value);
            }
            seen = see(flat);
        }
        Ok((out, seen))
    }

    fn transfer<C: Pod + Send, S: Ord + Default + Send>(
        &self,
        format: Format,
        place: Place<'_>,
        kernel: Kernel<C>,
        out: &mut [C],
        see: &(impl Fn(&[C]) -> S + Sync),
    ) -> Result<S, LoadError> {
        let Place { part: Part { piece, buffer }, stride } = place;
        let transfer = Transfer { piece, stride, format, kernel };
        transfer
            .run(self.source.options.thread_count(), out, see)
            .map_err(|error| self.source.unreadable(buffer, error))
    }
}

const FLOAT: Kernel<f32> = Kernel { same: Component::F32, fill: fill_f32 };
const UNSIGNED: Kernel<u32> = Kernel { same: Component::U32, fill: fill_u32 };
const UNSIGNED_SHORT: Kernel<u16> = Kernel { same: Component::U16, fill: fill_u16 };

/// For those who have no question.
fn unseen<T>(_: &[T]) {}
