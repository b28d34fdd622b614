#version 460
#extension GL_GOOGLE_include_directive : require
#include "srgb.glsl"

// The renderer's half of this layout is in src/vulkan/overlay/data.rs.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec2 out_uv;

layout(push_constant) uniform Target {
    // Two over the size in pixels.
    vec2 scale;
};

void main() {
    // Pixels count from the upper left corner, and so does clip space here: the viewport is not flipped.
    gl_Position = vec4(position * scale - 1.0, 0.0, 1.0);
    out_color = vec4(linear(color.rgb), color.a);
    out_uv = uv;
}
