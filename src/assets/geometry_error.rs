//! Why an operation on a mesh was not done.

use super::Topology;

/// Why an operation on a mesh was not done. The mesh is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The operation is about triangles, and the mesh has none.
    #[error("its topology is {topology:?}; only triangles have faces, so give it triangles")]
    NotTriangles {
        /// What the mesh is made of.
        topology: Topology,
    },
    /// The indices (or, without any, the vertices) do not form whole triangles.
    #[error("{count} indices do not form whole triangles; give a multiple of 3")]
    IndexCount {
        /// Indices found.
        count: usize,
    },
    /// An index points past the last vertex.
    #[error(
        "index {index} at position {position} is out of range for {vertices} vertices; indices count from 0"
    )]
    IndexRange {
        /// Where in the index list.
        position: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A stream is neither empty nor as long as the positions.
    #[error("stream {stream} has {actual} elements for {vertices} vertices; give one a vertex or none")]
    StreamLength {
        /// The stream's name.
        stream: String,
        /// Elements found.
        actual: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A stream that the operation reads is absent.
    #[error("it has no {stream}, which the operation reads; give it one element a vertex")]
    MissingStream {
        /// The stream's name.
        stream: String,
    },
    /// A vertex has a joint that the pose does not have.
    #[error("vertex {vertex} has joint {joint}, but the pose has {joints} joint matrices; give one a joint")]
    JointRange {
        /// The vertex.
        vertex: usize,
        /// Its joint.
        joint: u16,
        /// Number of joint matrices.
        joints: usize,
    },
    /// So many triangles meet in some vertices that the operation would take too long.
    #[error(
        "too many triangles meet in its vertices, up to {most} in one, where at most {limit} may; split the mesh or give \
         it tangents"
    )]
    Crowded {
        /// How many meet where most do.
        most: usize,
        /// How many may meet in one vertex. Where many vertices have nearly as many, fewer are admitted.
        limit: usize,
    },
    /// More vertices than 32 bits can count.
    #[error("it would have more than {} vertices; split the mesh", u32::MAX)]
    TooLarge,
    /// There is not enough memory.
    #[error("no memory for {bytes} bytes; split the mesh or free memory")]
    OutOfMemory {
        /// How much was asked for.
        bytes: usize,
    },
}
