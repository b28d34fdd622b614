//! The streams of a mesh, one after the other.

use super::Mesh;
use std::fmt;

/// A stream, whatever its elements are.
#[derive(Clone, Copy)]
pub(super) struct Stream<'a> {
    place: Place,
    /// How many elements it has.
    pub length: usize,
    /// Their components in a row; none for joints, which are whole numbers.
    pub components: &'a [f32],
    /// How many elements it must have, if it is the second half of a pair.
    paired: Option<usize>,
}

#[derive(Clone, Copy)]
enum Place {
    Own(&'static str),
    Uvs(usize),
    Joints(usize),
    Weights(usize),
    Target(usize, &'static str),
    TargetUvs(usize, usize),
}

impl<'a> Stream<'a> {
    fn new<T: bytemuck::Pod>(place: Place, stream: &'a [T]) -> Self {
        Self { place, length: stream.len(), components: bytemuck::cast_slice(stream), paired: None }
    }

    /// How many elements it should have, unless it has them: one a vertex or none. A stream may be absent, but not half of
    /// a pair.
    pub fn misfit(&self, vertices: usize) -> Option<usize> {
        let expected = self.paired.unwrap_or(if self.length == 0 { 0 } else { vertices });
        (self.length != expected).then_some(expected)
    }
}

impl fmt::Display for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Own(name) => f.write_str(name),
            Place::Uvs(set) => write!(f, "uv_sets[{set}]"),
            Place::Joints(set) => write!(f, "joint_sets[{set}].joints"),
            Place::Weights(set) => write!(f, "joint_sets[{set}].weights"),
            Place::Target(target, name) => write!(f, "morph_targets[{target}].{name}"),
            Place::TargetUvs(target, set) => write!(f, "morph_targets[{target}].uv_sets[{set}]"),
        }
    }
}

impl Mesh {
    /// All of its streams, absent ones too.
    pub(super) fn streams(&self) -> impl Iterator<Item = Stream<'_>> {
        let own = [
            Stream::new(Place::Own("positions"), &self.positions),
            Stream::new(Place::Own("normals"), &self.normals),
            Stream::new(Place::Own("tangents"), &self.tangents),
            Stream::new(Place::Own("colors"), &self.colors),
        ];
        let uvs = self.uv_sets.iter().enumerate().map(|(set, uvs)| Stream::new(Place::Uvs(set), uvs));
        let influences = self.joint_sets.iter().enumerate().flat_map(|(set, influences)| {
            let length = influences.joints.len();
            let joints = Stream { place: Place::Joints(set), length, components: &[], paired: None };
            let weights = Stream::new(Place::Weights(set), &influences.weights);
            [joints, Stream { paired: Some(length), ..weights }]
        });
        let targets = self.morph_targets.iter().enumerate().flat_map(|(index, target)| {
            let own = [
                Stream::new(Place::Target(index, "positions"), &target.positions),
                Stream::new(Place::Target(index, "normals"), &target.normals),
                Stream::new(Place::Target(index, "tangents"), &target.tangents),
                Stream::new(Place::Target(index, "colors"), &target.colors),
            ];
            let uvs = target.uv_sets.iter().enumerate();
            own.into_iter().chain(uvs.map(move |(set, uvs)| Stream::new(Place::TargetUvs(index, set), uvs)))
        });
        own.into_iter().chain(uvs).chain(influences).chain(targets)
    }
}
