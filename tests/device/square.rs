//! A square as a document, and pictures for it.

use crate::fixtures::{Doc, U8};
use crate::support::stage::{BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera};
use fire_engine::assets::ImageData;
use fire_engine::vulkan::ViewMode;
use image::{ExtendedColorType, ImageEncoder as _};
use libtest_mimic::Failed;
use serde_json::{Value, json};

/// A document whose one node draws a square from -1 to 1 with one UV set, white and without texture.
pub struct Square {
    pub doc: Doc,
}

/// Lower left, lower right, upper right, upper left.
pub const CORNERS: [f32; 12] = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0];
pub const UVS: [f32; 8] = [0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

impl Square {
    pub fn new() -> Self {
        let mut doc = Doc::triangle();
        doc.json.as_object_mut().map(|json| json.remove("accessors"));
        let corners = doc.floats("VEC3", &CORNERS);
        doc.attribute("POSITION", corners);
        let uvs = doc.floats("VEC2", &UVS);
        doc.attribute("TEXCOORD_0", uvs);
        let indices = doc.accessor(U8, "SCALAR", 6, &[0, 1, 2, 0, 2, 3]);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        doc.json["materials"] = json!([{}]);
        Self { doc }
    }

    /// With this image, sampled without filters, as texture 0.
    pub fn with_image(bytes: &[u8]) -> Self {
        let mut square = Self::new();
        let view = square.doc.view(bytes);
        square.doc.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
        square.doc.json["samplers"] = json!([{"magFilter": 9728, "minFilter": 9728}]);
        square.doc.json["textures"] = json!([{"source": 0, "sampler": 0}]);
        square
    }

    pub fn material(mut self, material: Value) -> Self {
        self.doc.json["materials"] = json!([material]);
        self
    }

    pub fn draw(&self, view: ViewMode) -> Result<ImageData, Failed> {
        let (content, _report) = self.doc.load()?;
        Stage { content }.draw_with(&flat_camera(), |options| options.view_mode = view)
    }

    /// Fails unless the middle has this color.
    pub fn expect(&self, view: ViewMode, expected: [u8; 4]) -> Result<(), Failed> {
        expect_pixel(&self.draw(view)?, (32, 32), expected, 1)
            .map_err(|error| format!("{view:?}: {}", error.message().unwrap_or_default()).into())
    }
}

pub fn png(width: u32, height: u32, color: ExtendedColorType, bytes: &[u8]) -> Result<Vec<u8>, Failed> {
    let mut out = Vec::new();
    image::codecs::png::PngEncoder::new(&mut out).write_image(bytes, width, height, color)?;
    Ok(out)
}

pub fn rgba(width: u32, height: u32, texels: &[[u8; 4]]) -> Result<Vec<u8>, Failed> {
    png(width, height, ExtendedColorType::Rgba8, texels.as_flattened())
}

/// Red and green over blue and white.
pub fn quarters() -> Result<Vec<u8>, Failed> {
    rgba(2, 2, &[RED, GREEN, BLUE, WHITE])
}

pub fn base_color() -> Value {
    json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
}

/// 16-bit samples in native order, as the encoder takes them.
pub fn wide(samples: &[u16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_ne_bytes()).collect()
}
