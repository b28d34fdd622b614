// What the scene shaders share with the renderer; the layouts are mirrored in src/vulkan/compiled/layout.rs.

// Of what a material's fragments are made, where the macro `VIEW` is set: `Shade` in src/vulkan/compiled/layout.rs. What
// shows the base color is compiled without it: some drivers fetch inputs and store outputs that nothing reads.
const uint COLOR_SLOT = 1;
const uint DATA_SLOT = 2;
const uint GRAY_SLOT = 3;
const uint VERTEX_NORMALS = 4;
const uint FACE_NORMALS = 5;
const uint MISSING = 6;
const uint CHECKER = 7;
const uint EDGES = 8;

// 0: opaque, 1: mask, 2: blend.
layout(constant_id = 0) const uint ALPHA_MODE = 0;
layout(constant_id = 1) const uint SHADE = 0;
// 0: the draw's winding tells front from back. Otherwise that and whether the matrix of a triangle's first vertex mirrors, and
// 2: backs are discarded.
layout(constant_id = 5) const uint FRONT = 0;

// In the proportions of the vector itself, so that nothing under- or overflows; zero stays zero.
vec3 unit(vec3 v) {
    vec3 size = abs(v);
    float largest = max(max(size.x, size.y), size.z);
    return largest > 0.0 ? normalize(v / largest) : vec3(0.0);
}
