#version 460

// 0: opaque, 1: mask, 2: blend.
layout(constant_id = 0) const uint ALPHA_MODE = 0;

layout(set = 1, binding = 0) uniform sampler2D base_color;

layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 2) flat in float cutoff;

layout(location = 0) out vec4 out_color;

void main() {
    vec4 shaded = color * texture(base_color, uv);
    if (ALPHA_MODE == 1 && shaded.a < cutoff) {
        discard;
    }
    if (ALPHA_MODE != 2) {
        shaded.a = 1.0;
    }
    out_color = shaded;
}
