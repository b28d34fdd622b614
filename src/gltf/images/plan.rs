//! Which images are read, and which of them are one.

use super::origin::{Origin, origin};
use crate::gltf::LoadError;
use crate::gltf::decode::{Header, Kind};
use crate::gltf::source::Source;
use crate::gltf::usage::{Usage, Use};
use crate::scene::ImageFile;
use std::collections::HashMap;

/// All images that share an origin.
pub(super) struct Shared<'a> {
    pub origin: Origin<'a>,
    pub usage: Usage,
    /// Images that have yet to get their pixels.
    pub users: usize,
    /// The first image that is drawn from it, which a failure would refuse.
    pub drawn: Option<usize>,
    pub state: State,
}

impl Shared<'_> {
    /// What was read, if anything was.
    pub fn file(&self) -> Option<ImageFile> {
        match self.state {
            State::Read { kind, length, .. } => Some(ImageFile { format: kind.name(), bytes: length }),
            _ => None,
        }
    }
}

pub(super) enum State {
    Unread,
    /// There is a job for it, or has been.
    Read {
        kind: Kind,
        header: Header,
        /// Bytes of its file.
        length: u64,
        /// Bytes of its pixels and mip levels.
        bytes: u64,
    },
    /// It cannot be had, and no image that is drawn needs it.
    Absent(String),
}

/// The images to read, and how far each has come.
pub(super) struct Plan<'s, 'a> {
    pub source: &'s Source<'a>,
    pub usages: &'s [Usage],
    pub shared: Vec<Shared<'a>>,
    /// Of each image that is used.
    pub of_image: Vec<Option<usize>>,
}

impl<'s, 'a> Plan<'s, 'a> {
    pub fn new(source: &'s Source<'a>, usages: &'s [Usage]) -> Result<Self, LoadError> {
        let json = source.json;
        let mut plan = Self { source, usages, shared: Vec::new(), of_image: vec![None; json.images.len()] };
        let mut known: HashMap<Origin<'a>, usize> = HashMap::new();
        for (index, (image, usage)) in json.images.iter().zip(usages).enumerate() {
            if usage.kind == Use::None {
                continue;
            }
            let origin = origin(source, image, format_args!("images[{index}]"))?;
            let next = plan.shared.len();
            let at = *known.entry(origin).or_insert(next);
            if at == next {
                let usage = Usage::default();
                plan.shared.push(Shared { origin, usage, users: 0, drawn: None, state: State::Unread });
            }
            let shared = &mut plan.shared[at];
            shared.usage.merge(usage);
            shared.users += 1;
            if usage.kind == Use::Drawn {
                shared.drawn.get_or_insert(index);
            }
            plan.of_image[index] = Some(at);
        }
        Ok(plan)
    }
}
