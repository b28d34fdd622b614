#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

struct Material {
    vec4 base_color;
    // Rows of the texture coordinates' transform (a, b, t); the first one's w is the alpha cutoff.
    vec4 uv_row_u;
    vec4 uv_row_v;
    // The same of the slot that a view mode shows.
    vec4 slot_row_u;
    vec4 slot_row_v;
    // What is shown is texel * scale + offset.
    vec4 slot_scale;
    vec4 slot_offset;
};

struct Draw {
    // Index of the node's matrix, or SKINNED and that of the first joint's.
    uint matrix;
    uint material;
    // Index of what is said about morph targets.
    uint morphs;
};

layout(set = 0, binding = 0, std430) readonly buffer Matrices {
    // Three rows of a 3x4 affine matrix for each node, then for each joint.
    vec4 matrix_rows[];
};

layout(set = 0, binding = 1, std430) readonly buffer Table {
    // For each instance drawn.
    Draw draws[];
};

layout(set = 0, binding = 2, std430) readonly buffer Materials {
    Material materials[];
};

layout(push_constant) uniform Camera {
    mat4 view_projection;
};

// Which streams the mesh has; the attributes of the others hold anything.
layout(constant_id = 2) const bool HAS_UV = false;
layout(constant_id = 3) const bool HAS_COLOR = false;
layout(constant_id = 4) const bool HAS_SLOT_UV = false;

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
#ifdef VIEW
layout(location = 3) in vec2 slot_uv;
layout(location = 4) in vec3 normal;
#endif
#ifdef DEFORM
layout(location = 5) in uvec4 joints_0;
layout(location = 6) in vec4 weights_0;
layout(location = 7) in uvec4 joints_1;
layout(location = 8) in vec4 weights_1;
#endif

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec2 out_uv;
layout(location = 2) flat out float out_cutoff;
#ifdef VIEW
layout(location = 3) out vec2 out_slot_uv;
layout(location = 4) flat out vec3 out_slot_scale;
layout(location = 5) flat out vec3 out_slot_offset;
layout(location = 6) out vec3 out_vector;
#endif
#ifdef MIXED
layout(location = 7) flat out uint out_mirrored;
#endif

struct Vertex {
    vec3 position;
    vec2 uv;
    vec4 color;
#ifdef VIEW
    vec2 slot_uv;
    vec3 normal;
#endif
};

// Rows of a matrix.
struct Rows {
    vec4 x;
    vec4 y;
    vec4 z;
};

Rows rows_of(uint matrix) {
    uint row = matrix * 3;
    return Rows(matrix_rows[row], matrix_rows[row + 1], matrix_rows[row + 2]);
}

// The 3x3 part with elements brought near one, for products of them; false if all are zero.
bool scaled(Rows rows, out mat3 part) {
    vec3 sizes = max(max(abs(rows.x.xyz), abs(rows.y.xyz)), abs(rows.z.xyz));
    float size = max(max(sizes.x, sizes.y), sizes.z);
    if (size == 0.0) {
        return false;
    }
    part = mat3(rows.x.xyz / size, rows.y.xyz / size, rows.z.xyz / size);
    return true;
}

#ifdef DEFORM
#include "deform.glsl"
#endif

vec2 transformed(vec4 row_u, vec4 row_v, vec3 coordinate) {
    return vec2(dot(row_u.xyz, coordinate), dot(row_v.xyz, coordinate));
}

#ifdef VIEW
// By the inverse transpose, which is the cofactor matrix over the determinant; of the determinant only the sign counts.
vec3 world_normal(Rows rows, vec3 normal) {
    mat3 part;
    if (!scaled(rows, part)) {
        return vec3(0.0);
    }
    vec3 yz = cross(part[1], part[2]);
    vec3 cofactors = vec3(
        dot(yz, normal),
        dot(cross(part[2], part[0]), normal),
        dot(cross(part[0], part[1]), normal));
    return unit(dot(part[0], yz) < 0.0 ? -cofactors : cofactors);
}
#endif

void main() {
#ifdef VIEW
    Vertex vertex = Vertex(position, uv, color, slot_uv, normal);
#else
    Vertex vertex = Vertex(position, uv, color);
#endif
    // Includes firstInstance, so each indirect command addresses its own part of the table.
    uint matrix = draws[gl_InstanceIndex].matrix;
#ifdef DEFORM
    morph(vertex, draws[gl_InstanceIndex].morphs);
    Rows rows = skinned(matrix);
#ifdef MIXED
    out_mirrored = mirrors(rows) ? 1 : 0;
#endif
#else
    Rows rows = rows_of(matrix);
#endif
    vec4 local = vec4(vertex.position, 1.0);
    vec3 world = vec3(dot(rows.x, local), dot(rows.y, local), dot(rows.z, local));
    gl_Position = view_projection * vec4(world, 1.0);
    gl_PointSize = 1.0;

    Material material = materials[draws[gl_InstanceIndex].material];
    out_color = material.base_color;
    if (HAS_COLOR) {
        out_color *= vertex.color;
    }
    out_uv = transformed(material.uv_row_u, material.uv_row_v, vec3(HAS_UV ? vertex.uv : vec2(0.0), 1.0));
    out_cutoff = material.uv_row_u.w;
#ifdef VIEW
    if (SHADE >= COLOR_SLOT && SHADE <= GRAY_SLOT) {
        vec3 coordinate = vec3(HAS_SLOT_UV ? vertex.slot_uv : vec2(0.0), 1.0);
        out_slot_uv = transformed(material.slot_row_u, material.slot_row_v, coordinate);
        out_slot_scale = material.slot_scale.xyz;
        out_slot_offset = material.slot_offset.xyz;
    }
    if (SHADE == VERTEX_NORMALS) {
        out_vector = world_normal(rows, vertex.normal);
    }
    if (SHADE == FACE_NORMALS) {
        out_vector = world;
    }
#endif
}
