// What the scene shaders share with the renderer; the layouts are mirrored in src/vulkan/compiled/layout.rs.

struct Material {
    vec4 base_color;
    // Rows of the texture coordinates' transform (a, b, t); the first one's w is the alpha cutoff.
    vec4 uv_row_u;
    vec4 uv_row_v;
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
