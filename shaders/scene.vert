#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(location = 0) in vec3 position;
#ifdef HAS_UV
layout(location = 1) in vec2 uv;
#endif
#ifdef HAS_COLOR
layout(location = 2) in vec4 color;
#endif

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec2 out_uv;
layout(location = 2) flat out float out_cutoff;

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
#ifdef HAS_COLOR
    out_color *= color;
#endif
#ifdef HAS_UV
    vec3 coordinate = vec3(uv, 1.0);
#else
    vec3 coordinate = vec3(0.0, 0.0, 1.0);
#endif
    out_uv = vec2(dot(material.uv_row_u.xyz, coordinate), dot(material.uv_row_v.xyz, coordinate));
    out_cutoff = material.uv_row_u.w;
}
