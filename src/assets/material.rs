//! Colors and surface descriptions.

use super::TextureId;
use crate::math::{Vec2, Vec3};
use bytemuck::{Pod, Zeroable};

/// A linear color with straight alpha. Components may exceed 1; the default is transparent black.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Color4 {
    /// Red, linear.
    pub r: f32,
    /// Green, linear.
    pub g: f32,
    /// Blue, linear.
    pub b: f32,
    /// Coverage, 0 transparent to 1 opaque.
    pub a: f32,
}

impl Color4 {
    /// Opaque white, the neutral factor.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0, 1.0);

    /// A color from its linear components.
    #[must_use]
    pub const fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Red, green, blue, alpha.
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.to_array().iter().all(|c| c.is_finite())
    }
}

impl From<[f32; 4]> for Color4 {
    fn from([r, g, b, a]: [f32; 4]) -> Self {
        Self { r, g, b, a }
    }
}

/// How alpha decides what is seen (glTF 2.0, section 3.9.4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha is ignored; the surface is opaque.
    #[default]
    Opaque,
    /// A fragment whose alpha lies below the cutoff is not drawn; the others are opaque.
    Mask {
        /// Finite; glTF's default is 0.5. A cutoff above 1 hides everything.
        cutoff: f32,
    },
    /// Fragments are mixed over what lies behind them, farthest first.
    Blend,
}

/// Offset, rotation and scale of texture coordinates: `uv' = T * R * S * uv` (KHR_texture_transform).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Added last, in texture widths and heights.
    pub offset: Vec2,
    /// Radians. The coordinates turn counter-clockwise in the picture, whose u runs right and v down, so what is seen of
    /// the texture turns clockwise.
    pub rotation: f32,
    /// Applied first.
    pub scale: Vec2,
}

impl UvTransform {
    /// Leaves coordinates as they are.
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };

    /// The two rows `[a, b, t]` with `u' = a u + b v + t`.
    ///
    /// The rotation is `[cos, sin; -sin, cos]`, as the extension's prose and its example ask, and as three.js and the
    /// Khronos sample renderer have it. The GLSL in the extension's text, read column by column as GLSL is, turns the
    /// other way.
    #[must_use]
    pub fn rows(&self) -> [[f32; 3]; 2] {
        let (sin, cos) = self.rotation.sin_cos();
        [
            [cos * self.scale.x, sin * self.scale.y, self.offset.x],
            [-sin * self.scale.x, cos * self.scale.y, self.offset.y],
        ]
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.offset.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for UvTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// How the texels of a slot's texture are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureRole {
    /// sRGB colors with linear alpha: base color, emission.
    Color,
    /// Linear numbers: metalness, roughness, normals, occlusion.
    Data,
}

/// A texture as one slot of a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureSlot {
    /// What is sampled.
    pub texture: TextureId,
    /// Which of the mesh's UV sets addresses it, from 0. A mesh without that set reads coordinate (0, 0).
    pub uv_set: u32,
    /// Applied to the coordinates before sampling.
    pub transform: UvTransform,
}

impl TextureSlot {
    /// The texture through UV set 0, untransformed.
    #[must_use]
    pub const fn new(texture: TextureId) -> Self {
        Self { texture, uv_set: 0, transform: UvTransform::IDENTITY }
    }
}

/// A metallic-roughness surface (glTF 2.0, section 3.9).
///
/// The picture today is unlit: vertex color x [`base_color_factor`](Self::base_color_factor) x base color texture. The
/// remaining texture slots are kept with the description and not drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// For messages; may be empty.
    pub name: String,
    /// Linear; multiplies the texture. Finite, any range.
    pub base_color_factor: Color4,
    /// sRGB colors, linear alpha.
    pub base_color_texture: Option<TextureSlot>,
    /// 0 is a dielectric, 1 a metal; multiplies the texture's blue.
    pub metallic_factor: f32,
    /// Perceptual roughness, 0 smooth to 1; multiplies the texture's green.
    pub roughness_factor: f32,
    /// Blue is metalness, green is roughness; linear.
    pub metallic_roughness_texture: Option<TextureSlot>,
    /// Tangent-space normals; linear.
    pub normal_texture: Option<TextureSlot>,
    /// Multiplies x and y of the texture's normals. Finite, any sign.
    pub normal_scale: f32,
    /// Red is the share of indirect light that arrives; linear.
    pub occlusion_texture: Option<TextureSlot>,
    /// How much of the texture's occlusion is applied, 0 none to 1 all of it.
    pub occlusion_strength: f32,
    /// Linear emission; multiplies the texture.
    pub emissive_factor: Vec3,
    /// Multiplies the emission, which may thus exceed 1 (KHR_materials_emissive_strength). At least 0.
    pub emissive_strength: f32,
    /// sRGB emission.
    pub emissive_texture: Option<TextureSlot>,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are drawn too.
    pub double_sided: bool,
    /// Whether the surface asks for no lighting (KHR_materials_unlit).
    pub unlit: bool,
}

impl Material {
    /// The slots that hold a texture, each with its field's name as glTF spells it.
    pub fn texture_slots(&self) -> impl Iterator<Item = (&'static str, TextureSlot)> {
        [
            ("baseColorTexture", self.base_color_texture),
            ("metallicRoughnessTexture", self.metallic_roughness_texture),
            ("normalTexture", self.normal_texture),
            ("occlusionTexture", self.occlusion_texture),
            ("emissiveTexture", self.emissive_texture),
        ]
        .into_iter()
        .filter_map(|(name, slot)| Some((name, slot?)))
    }
}

impl Default for Material {
    /// Opaque white, single-sided, untextured, a rough metal as in glTF.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color_factor: Color4::WHITE,
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive_factor: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_components_keep_their_names_and_default_to_transparent_black() {
        let color = Color4::from([0.25, 0.5, 0.75, 1.0]);
        assert_eq!((color.r, color.g, color.b, color.a), (0.25, 0.5, 0.75, 1.0));
        assert_eq!(Color4::default().to_array(), [0.0; 4]);
        assert_eq!(size_of::<Color4>(), 16);
    }

    #[test]
    fn uv_transform_scales_then_rotates_then_offsets() {
        let transform = UvTransform {
            offset: Vec2::new(0.5, 0.25),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::new(2.0, 3.0),
        };
        let [u, v] = transform.rows().map(|[a, b, t]| a * 1.0 + b * 1.0 + t);
        assert!((u - 3.5).abs() < 1e-6 && (v + 1.75).abs() < 1e-6, "{u} {v}");
        // The extension's example: the lower left quadrant of the image, turned clockwise by a quarter.
        let quadrant = UvTransform {
            offset: Vec2::new(0.0, 1.0),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::splat(0.5),
        };
        for (uv, expected) in [([0.0, 0.0], [0.0, 1.0]), ([1.0, 0.0], [0.0, 0.5]), ([0.0, 1.0], [0.5, 1.0])] {
            let [u, v] = quadrant.rows().map(|[a, b, t]| a * uv[0] + b * uv[1] + t);
            assert!((u - expected[0]).abs() < 1e-6 && (v - expected[1]).abs() < 1e-6, "{uv:?}: {u} {v}");
        }
        assert_eq!(UvTransform::default().rows(), [[1.0, 0.0, 0.0], [-0.0, 1.0, 0.0]]);
    }
}
