//! Small procedural scenes for device tests, and a camera that maps the unit square to the picture.

use super::{assert_clean, options};
use fire_engine::assets::{
    Color4, ImageData, MagFilter, Material, Mesh, MinFilter, RenderObject, RenderObjectId, Sampler, Texture,
    TextureSlot,
};
use fire_engine::math::{Transform, Vec2, Vec3};
use fire_engine::scene::{Camera, Content, Projection, SceneNodeId};
use fire_engine::vulkan::{Renderer, RendererOptions};
use libtest_mimic::Failed;

/// Content that is filled step by step and drawn once.
#[derive(Default)]
pub struct Stage {
    pub content: Content,
}

/// A square from -1 to 1 in x and y that faces +Z, with texture coordinates whose (0, 0) is the upper left corner.
pub fn square() -> Mesh {
    Mesh {
        name: "square".into(),
        positions: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .to_vec(),
        uv_sets: vec![
            [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v)).to_vec(),
        ],
        indices: Some(vec![0, 1, 2, 0, 2, 3]),
        ..Mesh::default()
    }
}

pub const RED: [u8; 4] = [255, 0, 0, 255];
pub const GREEN: [u8; 4] = [0, 255, 0, 255];
pub const BLUE: [u8; 4] = [0, 0, 255, 255];
pub const WHITE: [u8; 4] = [255; 4];
pub const BLACK: [u8; 4] = [0, 0, 0, 255];

/// Red and green over blue and white.
pub fn quarters() -> ImageData {
    ImageData::rgba8(2, 2, [RED, GREEN, BLUE, WHITE].concat())
}

/// Without filters and mips.
pub fn nearest() -> Sampler {
    Sampler { mag_filter: MagFilter::Nearest, min_filter: MinFilter::Nearest, ..Sampler::default() }
}

/// A material of one linear color.
pub fn plain(r: f32, g: f32, b: f32, a: f32) -> Material {
    Material { base_color_factor: Color4::new(r, g, b, a), ..Material::default() }
}

/// A camera on the +Z axis without perspective: x and y from -1 to 1 fill the picture.
pub fn flat_camera() -> Camera {
    let projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.1, far: 10.0 };
    Camera::look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y, projection).unwrap()
}

impl Stage {
    pub fn object(&mut self, mesh: Mesh, material: Material) -> RenderObjectId {
        let assets = &mut self.content.assets;
        let (mesh, material) = (assets.add_mesh(mesh), assets.add_material(material));
        assets.add_render_object(RenderObject { mesh, material })
    }

    pub fn textured(&mut self, image: ImageData, sampler: Sampler) -> Material {
        let image = self.content.assets.add_image(image);
        let texture = self.content.assets.add_texture(Texture { sampler, ..Texture::new(image) });
        Material { base_color_texture: Some(TextureSlot::new(texture)), ..Material::default() }
    }

    pub fn place(&mut self, object: RenderObjectId, transform: Transform) -> SceneNodeId {
        let node = self.content.scene.add_root("placed").unwrap();
        let mut edit = self.content.scene.find_mut(node).unwrap();
        edit.set_transform(transform).unwrap();
        edit.set_render_object(Some(object));
        node
    }

    /// Adds and places in one step.
    pub fn put(&mut self, mesh: Mesh, material: Material, transform: Transform) -> SceneNodeId {
        let object = self.object(mesh, material);
        self.place(object, transform)
    }

    /// Draws 64 x 64 pixels with the flat camera on black, and fails if validation said anything.
    pub fn draw(&mut self) -> Result<ImageData, Failed> {
        self.draw_with(&flat_camera(), |_| ())
    }

    pub fn draw_with(
        &mut self,
        camera: &Camera,
        change: impl FnOnce(&mut RendererOptions),
    ) -> Result<ImageData, Failed> {
        self.content.scene.update_world_transforms();
        let (mut options, log) = options();
        options.clear_color = [0.0, 0.0, 0.0, 1.0];
        change(&mut options);
        let mut renderer = Renderer::headless((64, 64), options)?;
        renderer.prepare(&self.content.assets, &self.content.scene)?;
        let image = renderer.render_to_image(&self.content.scene, camera)?;
        drop(renderer);
        assert_clean(&log)?;
        Ok(image)
    }
}

/// Fails unless the pixel at (`x`, `y`) from the upper left has this color, give or take `tolerance` a channel.
pub fn expect_pixel(
    image: &ImageData,
    (x, y): (u32, u32),
    expected: [u8; 4],
    tolerance: u8,
) -> Result<(), Failed> {
    let found = image.pixel(x, y).ok_or("the pixel lies outside")?;
    if found.iter().zip(expected).all(|(f, e)| f.abs_diff(e) <= tolerance) {
        return Ok(());
    }
    Err(format!("pixel ({x}, {y}) is {found:?}, not {expected:?}").into())
}
