// Morph targets and joints: glTF 2.0, sections 3.7.2.2 and 3.7.3.3. Where the macro `DEFORM` is set, a part of scene.vert.

// In a draw's matrix index: joints move the vertices. As in src/vulkan/compiled/layout.rs.
const uint SKINNED = 0x80000000;

// How many sets of influences the mesh has.
layout(constant_id = 6) const uint JOINT_SETS = 0;
// Where the displacements of a vertex's streams lie, in floats; 0 where no target displaces the stream. A stride of 0: no
// targets.
layout(constant_id = 7) const uint DELTA_STRIDE = 0;
layout(constant_id = 8) const uint DELTA_UV = 0;
layout(constant_id = 9) const uint DELTA_SLOT_UV = 0;
layout(constant_id = 10) const uint DELTA_COLOR = 0;
layout(constant_id = 11) const uint DELTA_NORMAL = 0;

// The same buffer as that of the matrices, which these follow: for each draw (first pair, number of pairs), and the pairs
// (place of a target's displacements, bits of its weight).
layout(set = 0, binding = 0, std430) readonly buffer Words {
    uvec2 words[];
};

layout(set = 2, binding = 0, std430) readonly buffer Deltas {
    float deltas[];
};

vec2 delta2(uint at) {
    return vec2(deltas[at], deltas[at + 1]);
}

vec3 delta3(uint at) {
    return vec3(deltas[at], deltas[at + 1], deltas[at + 2]);
}

// Adds what the listed targets displace, times their weights.
void morph(inout Vertex vertex, uint list) {
    if (DELTA_STRIDE == 0) {
        return;
    }
    uvec2 pairs = words[list];
    // Counts from the first vertex of the block, which the targets' places allow for.
    uint offset = uint(gl_VertexIndex) * DELTA_STRIDE;
    for (uint index = 0; index < pairs.y; ++index) {
        uvec2 pair = words[pairs.x + index];
        uint at = pair.x + offset;
        float weight = uintBitsToFloat(pair.y);
        vertex.position += weight * delta3(at);
        if (DELTA_UV != 0) {
            vertex.uv += weight * delta2(at + DELTA_UV);
        }
        if (DELTA_COLOR != 0) {
            vertex.color += weight * vec4(delta3(at + DELTA_COLOR), deltas[at + DELTA_COLOR + 3]);
        }
#ifdef VIEW
        if (DELTA_SLOT_UV != 0) {
            vertex.slot_uv += weight * delta2(at + DELTA_SLOT_UV);
        }
        if (DELTA_NORMAL != 0) {
            vertex.normal += weight * delta3(at + DELTA_NORMAL);
        }
#endif
    }
    if (DELTA_COLOR != 0) {
        vertex.color = clamp(vertex.color, 0.0, 1.0);
    }
}

void add_joint(inout Rows sum, uint matrix, float weight) {
    if (weight != 0.0) {
        Rows rows = rows_of(matrix);
        sum.x += weight * rows.x;
        sum.y += weight * rows.y;
        sum.z += weight * rows.z;
    }
}

void add_joints(inout Rows sum, uint first, uvec4 joints, vec4 weights) {
    add_joint(sum, first + joints.x, weights.x);
    add_joint(sum, first + joints.y, weights.y);
    add_joint(sum, first + joints.z, weights.z);
    add_joint(sum, first + joints.w, weights.w);
}

// The blended matrix of the vertex's joints, or the node's where the draw has none.
Rows skinned(uint matrix) {
    if (JOINT_SETS == 0 || (matrix & SKINNED) == 0) {
        return rows_of(matrix);
    }
    uint first = matrix & ~SKINNED;
    Rows sum = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    add_joints(sum, first, joints_0, weights_0);
    if (JOINT_SETS > 1) {
        add_joints(sum, first, joints_1, weights_1);
    }
    return sum;
}

#ifdef MIXED
bool mirrors(Rows rows) {
    mat3 part;
    return scaled(rows, part) && dot(part[0], cross(part[1], part[2])) < 0.0;
}
#endif
