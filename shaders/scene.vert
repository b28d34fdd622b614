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

layout(set = 0, binding = 0, std430) readonly buffer Worlds {
    // Three rows of a 3x4 affine matrix for each node.
    vec4 world_rows[];
};

layout(set = 0, binding = 1, std430) readonly buffer Table {
    // For each instance drawn: index of its world matrix, index of its material.
    uvec2 draws[];
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

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec2 out_uv;
layout(location = 2) flat out float out_cutoff;
#ifdef VIEW
layout(location = 3) out vec2 out_slot_uv;
layout(location = 4) flat out vec3 out_slot_scale;
layout(location = 5) flat out vec3 out_slot_offset;
layout(location = 6) out vec3 out_vector;
#endif

vec2 transformed(vec4 row_u, vec4 row_v, vec3 coordinate) {
    return vec2(dot(row_u.xyz, coordinate), dot(row_v.xyz, coordinate));
}

#ifdef VIEW
// By the inverse transpose, which is the cofactor matrix over the determinant; of the determinant only the sign counts.
vec3 world_normal(uint row) {
    vec3 x = world_rows[row].xyz;
    vec3 y = world_rows[row + 1].xyz;
    vec3 z = world_rows[row + 2].xyz;
    // Cofactors are products, so the elements are brought near one first.
    vec3 sizes = max(max(abs(x), abs(y)), abs(z));
    float size = max(max(sizes.x, sizes.y), sizes.z);
    if (size == 0.0) {
        return vec3(0.0);
    }
    x /= size;
    y /= size;
    z /= size;
    vec3 yz = cross(y, z);
    vec3 cofactors = vec3(dot(yz, normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
    return unit(dot(x, yz) < 0.0 ? -cofactors : cofactors);
}
#endif

void main() {
    // Includes firstInstance, so each indirect command addresses its own part of the table.
    uvec2 drawn = draws[gl_InstanceIndex];
    uint row = drawn.x * 3;
    vec4 local = vec4(position, 1.0);
    vec3 world = vec3(
        dot(world_rows[row], local),
        dot(world_rows[row + 1], local),
        dot(world_rows[row + 2], local));
    gl_Position = view_projection * vec4(world, 1.0);
    gl_PointSize = 1.0;

    Material material = materials[drawn.y];
    out_color = material.base_color;
    if (HAS_COLOR) {
        out_color *= color;
    }
    out_uv = transformed(material.uv_row_u, material.uv_row_v, vec3(HAS_UV ? uv : vec2(0.0), 1.0));
    out_cutoff = material.uv_row_u.w;
#ifdef VIEW
    if (SHADE >= COLOR_SLOT && SHADE <= GRAY_SLOT) {
        vec3 coordinate = vec3(HAS_SLOT_UV ? slot_uv : vec2(0.0), 1.0);
        out_slot_uv = transformed(material.slot_row_u, material.slot_row_v, coordinate);
        out_slot_scale = material.slot_scale.xyz;
        out_slot_offset = material.slot_offset.xyz;
    }
    if (SHADE == VERTEX_NORMALS) {
        out_vector = world_normal(row);
    }
    if (SHADE == FACE_NORMALS) {
        out_vector = world;
    }
#endif
}
