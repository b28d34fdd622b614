#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "srgb.glsl"

layout(set = 1, binding = 0) uniform sampler2D base_color;
#ifdef VIEW
// Of the slot that a view mode shows.
layout(set = 1, binding = 1) uniform sampler2D slot;
#endif

layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 2) flat in float cutoff;
#ifdef VIEW
layout(location = 3) in vec2 slot_uv;
layout(location = 4) flat in vec3 slot_scale;
layout(location = 5) flat in vec3 slot_offset;
// A normal, or a place in the world to take one from.
layout(location = 6) in vec3 vector;
#endif
#ifdef MIXED
layout(location = 7) flat in uint mirrored;
#endif

layout(location = 0) out vec4 out_color;

// Whether the front is seen, as culling tells it.
bool is_front() {
#ifdef MIXED
    return gl_FrontFacing != (mirrored != 0);
#else
    return gl_FrontFacing;
#endif
}

#ifdef VIEW
// What a view mode shows in place of the base color.
vec3 viewed() {
    vec3 shown;
    switch (SHADE) {
    case COLOR_SLOT:
        return texture(slot, slot_uv).rgb * slot_scale + slot_offset;
    case DATA_SLOT:
        shown = texture(slot, slot_uv).rgb * slot_scale + slot_offset;
        break;
    case GRAY_SLOT:
        shown = texture(slot, slot_uv).rrr * slot_scale + slot_offset;
        break;
    case VERTEX_NORMALS:
        // Front faces are told by the winding after mirroring, as for culling.
        shown = unit(is_front() ? vector : -vector) * 0.5 + 0.5;
        break;
    case FACE_NORMALS:
        // The picture's y runs down, so this one faces the viewer, from whichever side.
        shown = unit(cross(unit(dFdy(vector)), unit(dFdx(vector)))) * 0.5 + 0.5;
        break;
    case CHECKER:
        // Eight squares by eight for each turn of the texture, every other one darker.
        vec2 squares = floor(uv * 8.0);
        bool dark = mod(squares.x + squares.y, 2.0) != 0.0;
        shown = vec3(fract(uv), 0.5) * (dark ? 0.5 : 1.0);
        break;
    case EDGES:
        shown = vec3(0.7);
        break;
    default:
        shown = vec3(0.5);
    }
    // The target encodes sRGB, and data arrives as the numbers that they are.
    return linear(clamp(shown, 0.0, 1.0));
}
#endif

void main() {
#ifdef VIEW
    // Before anything is discarded: both take differences to neighbors.
    vec3 instead = viewed();
#endif
    vec4 shaded = color * texture(base_color, uv);
#ifdef MIXED
    if (FRONT == 2 && !is_front()) {
        discard;
    }
#endif
    if (ALPHA_MODE == 1 && shaded.a < cutoff) {
        discard;
    }
    if (ALPHA_MODE != 2) {
        shaded.a = 1.0;
    }
#ifdef VIEW
    shaded.rgb = instead;
#endif
    out_color = shaded;
}
