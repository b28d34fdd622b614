#version 460

// Whether the target stores linear values as they are, so that sRGB has to be encoded here.
layout(constant_id = 0) const bool ENCODE_SRGB = false;

layout(set = 0, binding = 0) uniform sampler2D picture;

layout(location = 0) out vec4 out_color;

// IEC 61966-2-1.
vec3 srgb(vec3 linear) {
    return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, greaterThan(linear, vec3(0.0031308)));
}

void main() {
    vec3 color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    out_color = vec4(ENCODE_SRGB ? srgb(color) : color, 1.0);
}
