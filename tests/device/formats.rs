//! Image formats: 16 bits and compressed blocks, as colors and as data.

use crate::pixels::Test;
use crate::support::stage::{Stage, expect_pixel, flat_camera, nearest, square};
use crate::support::{assert_clean, options};
use fire_engine::assets::{
    BlockFormats, ImageData, ImageFormat, Material, MinFilter, Sampler, Texture, TextureSlot,
};
use fire_engine::math::Transform;
use fire_engine::scene::Scene;
use fire_engine::vulkan::{Renderer, RendererError, ViewMode};
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("formats::t_tex_16_data_keeps_its_precision", t_tex_16_data_keeps_its_precision),
    ("formats::t_tex_16_colors_are_srgb", t_tex_16_colors_are_srgb),
    ("formats::t_tex_16_color_and_data_at_once", t_tex_16_color_and_data_at_once),
    ("formats::t_tex_16_mips_average_numbers", t_tex_16_mips_average_numbers),
    ("formats::t_tex_16_given_mips_are_used", t_tex_16_given_mips_are_used),
    ("formats::blocks_are_drawn_or_refused_by_name", blocks_are_drawn_or_refused_by_name),
    (
        "formats::a_failed_compilation_leaves_the_prepared_scene_drawable",
        a_failed_compilation_leaves_the_prepared_scene_drawable,
    ),
    ("formats::blocks_at_edges_and_in_mips", blocks_at_edges_and_in_mips),
    ("formats::blocks_are_colors_and_data_at_once", blocks_are_colors_and_data_at_once),
    ("formats::overlays_take_only_8_bits", overlays_take_only_8_bits),
];

/// A 16-bit image of one level: components in rows of pixels.
fn wide(width: u32, height: u32, components: &[u16]) -> ImageData {
    let bytes = components.iter().flat_map(|component| component.to_ne_bytes()).collect();
    ImageData { format: ImageFormat::Rgba16, ..ImageData::rgba8(width, height, bytes) }
}

fn blocks(format: ImageFormat, width: u32, height: u32, levels: &[Vec<[u8; 16]>]) -> ImageData {
    let mips = levels.iter().map(|level| level.as_flattened().to_vec()).collect();
    ImageData { name: "blocky".to_owned(), format, width, height, mips }
}

/// A BC7 block of one color in mode 6: endpoints of seven bits that share their lowest bit, here 1, so each component has
/// to be odd. All indices are 0.
fn bc7(color: [u8; 4]) -> [u8; 16] {
    let mut bits = 1_u128 << 6;
    let mut at = 7;
    for component in color {
        assert!(component % 2 == 1);
        for _both_ends in 0..2 {
            bits |= u128::from(component >> 1) << at;
            at += 7;
        }
    }
    (bits | 0b11 << at).to_le_bytes()
}

/// An ASTC block of one color: a void extent without coordinates.
fn astc(color: [u8; 4]) -> [u8; 16] {
    let mut block = [0xff; 16];
    block[..2].copy_from_slice(&[0xfc, 0xfd]);
    for (half, component) in block[8..].chunks_exact_mut(2).zip(color) {
        half.copy_from_slice(&(u16::from(component) * 257).to_le_bytes());
    }
    block
}

/// An ETC2 block of one opaque color: components of four bits, to which the first modifier of the first table adds 2.
fn etc2([r, g, b]: [u8; 3]) -> [u8; 16] {
    let mut block = [0; 16];
    block[0] = 255;
    for (byte, component) in block[8..11].iter_mut().zip([r, g, b]) {
        assert!((component - 2) % 17 == 0);
        *byte = (component - 2) / 17 * 0x11;
    }
    block
}

fn slot(stage: &mut Stage, image: ImageData, sampler: Sampler) -> Option<TextureSlot> {
    let assets = &mut stage.content.assets;
    let image = assets.add_image(image);
    Some(TextureSlot::new(assets.add_texture(Texture { sampler, ..Texture::new(image) })))
}

/// A square with the image as base color or (in another mode) as metalness and roughness.
fn draw(image: ImageData, view: ViewMode, change: impl FnOnce(&mut Material)) -> Result<ImageData, Failed> {
    draw_sampled(image, nearest(), view, change)
}

fn draw_sampled(
    image: ImageData,
    sampler: Sampler,
    view: ViewMode,
    change: impl FnOnce(&mut Material),
) -> Result<ImageData, Failed> {
    let mut stage = Stage::default();
    let texture = slot(&mut stage, image, sampler);
    let mut material = Material::default();
    match view {
        ViewMode::BaseColor => material.base_color_texture = texture,
        _ => material.metallic_roughness_texture = texture,
    }
    change(&mut material);
    stage.put(square(), material, Transform::IDENTITY);
    stage.draw_with(&flat_camera(), |options| options.view_mode = view)
}

/// 1,000 of 65,535 times 50 is 194.6 of 255; rounded to 8 bits first it would be 4 of 255, and 200.
fn t_tex_16_data_keeps_its_precision() -> Result<(), Failed> {
    let image = draw(wide(1, 1, &[0, 1000, 2570, 65535]), ViewMode::MetallicRoughness, |material| {
        material.roughness_factor = 50.0;
        material.metallic_factor = 10.0;
    })?;
    expect_pixel(&image, (32, 32), [0, 195, 100, 255], 1)
}

fn t_tex_16_colors_are_srgb() -> Result<(), Failed> {
    let color = [128, 20, 255, 255].map(|component| component * 257);
    let image = draw(wide(1, 1, &color), ViewMode::BaseColor, |_| ())?;
    expect_pixel(&image, (32, 32), [128, 20, 255, 255], 0)
}

fn t_tex_16_color_and_data_at_once() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let texture = slot(&mut stage, wide(1, 1, &[32896, 32896, 32896, 65535]), nearest());
    let material =
        Material { base_color_texture: texture, metallic_roughness_texture: texture, ..Material::default() };
    stage.put(square(), material, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    for view in [ViewMode::MetallicRoughness, ViewMode::BaseColor] {
        renderer.set_view_mode(view);
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        let red = if view == ViewMode::BaseColor { 128 } else { 0 };
        expect_pixel(&image, (32, 32), [red, 128, 128, 255], 0)?;
    }
    drop(renderer);
    assert_clean(&log)
}

/// Black and white texels are half in the mean, as numbers: 128, where light would make 188 of it.
fn t_tex_16_mips_average_numbers() -> Result<(), Failed> {
    let texel = |i: u32| if (i % 256 + i / 256).is_multiple_of(2) { [65535; 4] } else { [0, 0, 0, 65535] };
    let pixels: Vec<u16> = (0..256 * 256).flat_map(texel).collect();
    let image =
        draw_sampled(wide(256, 256, &pixels), Sampler::default(), ViewMode::MetallicRoughness, |_| ())?;
    expect_pixel(&image, (32, 32), [0, 128, 128, 255], 1)
}

fn t_tex_16_given_mips_are_used() -> Result<(), Failed> {
    // As data, and as colors, which are stored with 8 bits.
    for (view, expected) in [(ViewMode::MetallicRoughness, [0, 50, 60]), (ViewMode::BaseColor, [40, 50, 60])]
    {
        let mut image = wide(256, 256, &[0; 256 * 256 * 4]);
        for level in 1..image.full_level_count() {
            let (width, height) = image.level_dimensions(level);
            let texel = [40_u16 * 257, 50 * 257, 60 * 257, 65535];
            image.mips.push(bytes(&texel.repeat((width * height) as usize)));
        }
        let image = draw_sampled(image, Sampler::default(), view, |_| ())?;
        let [r, g, b] = expected;
        expect_pixel(&image, (32, 32), [r, g, b, 255], 1)?;
    }
    Ok(())
}

fn bytes(components: &[u16]) -> Vec<u8> {
    components.iter().flat_map(|component| component.to_ne_bytes()).collect()
}

/// A block of each format, and the color that it shows.
fn block_of_each() -> [(ImageFormat, [u8; 16], [u8; 3], &'static str); 3] {
    [
        (ImageFormat::Bc7, bc7([201, 101, 51, 255]), [201, 101, 51], "BC7"),
        (ImageFormat::Astc4x4, astc([200, 100, 50, 255]), [200, 100, 50], "ASTC"),
        (ImageFormat::Etc2Rgba8, etc2([206, 104, 53]), [206, 104, 53], "ETC2"),
    ]
}

fn offered_blocks() -> Result<BlockFormats, Failed> {
    Ok(Renderer::headless((16, 16), options().0)?.info().block_formats)
}

/// As color and as data, if the device has the format; otherwise the error names format and image.
fn blocks_are_drawn_or_refused_by_name() -> Result<(), Failed> {
    let offered = offered_blocks()?;
    for (format, block, [r, g, b], name) in block_of_each() {
        for (view, red) in [(ViewMode::BaseColor, r), (ViewMode::MetallicRoughness, 0)] {
            match draw(blocks(format, 4, 4, &[vec![block]]), view, |_| ()) {
                Ok(image) if offered.admits(format) => expect_pixel(&image, (32, 32), [red, g, b, 255], 1)
                    .map_err(|error| format!("{name}: {}", error.message().unwrap_or_default()))?,
                Err(error) if !offered.admits(format) => {
                    let text = error.message().unwrap_or_default();
                    assert!(text.contains(name) && text.contains("image 0 blocky"), "{text}");
                }
                Ok(_) => return Err(format!("{name} was drawn, but is not offered").into()),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// Planning accepts blocks that the device lacks; the fault shows itself only when compiling.
fn a_failed_compilation_leaves_the_prepared_scene_drawable() -> Result<(), Failed> {
    let offered = offered_blocks()?;
    let Some((format, block, ..)) = block_of_each().into_iter().find(|&(format, ..)| !offered.admits(format))
    else {
        return Ok(());
    };
    let (options, log) = options();
    let mut stage = Stage::default();
    stage.put(square(), Material::default(), Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let base_color_texture = slot(&mut stage, blocks(format, 4, 4, &[vec![block]]), nearest());
    let bad = stage.object(square(), Material { base_color_texture, ..Material::default() });
    let mut other = Scene::new();
    let node = other.add_root("blocky")?;
    other.find_mut(node).ok_or("gone")?.set_render_object(Some(bad));
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let before = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    let refused = renderer.prepare(&stage.content.assets, &other);
    assert!(matches!(refused, Err(RendererError::MissingDeviceSupport { .. })), "{refused:?}");
    assert_eq!(renderer.preparation().generation(), 1);
    assert!(before == renderer.render_to_image(&stage.content.scene, &flat_camera())?);
    drop(renderer);
    assert_clean(&log)
}

/// 6 x 5 pixels are 2 x 2 blocks, of which the right and lower ones are cut; the levels of 3 x 2 and 1 x 1 are one block.
fn blocks_at_edges_and_in_mips() -> Result<(), Failed> {
    if !offered_blocks()?.bc7 {
        return Ok(());
    }
    let colors = [[255, 1, 1, 255], [1, 255, 1, 255], [1, 1, 255, 255], [255, 255, 1, 255]];
    let level0 = colors.map(bc7).to_vec();
    let only = blocks(ImageFormat::Bc7, 6, 5, &[level0]);
    let image = draw(only, ViewMode::BaseColor, |_| ())?;
    // Of 64 pixels 42 show the four left texels, and 51 the four upper ones.
    for (at, color) in
        [((40, 48), 0), ((45, 48), 1), ((40, 55), 2), ((45, 55), 3), ((63, 63), 3), ((0, 0), 0)]
    {
        expect_pixel(&image, at, colors[color], 0)?;
    }
    // One level is all there is, whatever the sampler asks for.
    let only = blocks(ImageFormat::Bc7, 256, 256, &[vec![bc7(colors[2]); 64 * 64]]);
    let trilinear = draw_sampled(only, Sampler::default(), ViewMode::BaseColor, |_| ())?;
    expect_pixel(&trilinear, (32, 32), colors[2], 0)?;
    let small = |color| vec![bc7(color)];
    let mut large = vec![bc7([1, 1, 1, 255]); 64 * 64];
    large[0] = bc7([255, 255, 255, 255]);
    let mut levels = vec![large];
    for side in [32_usize, 16, 8, 4, 2] {
        levels.push(vec![bc7([101, 51, 201, 255]); side * side]);
    }
    levels.extend([small([101, 51, 201, 255]), small([3, 3, 3, 255]), small([3, 3, 3, 255])]);
    let image = blocks(ImageFormat::Bc7, 256, 256, &levels);
    assert_eq!(image.full_level_count() as usize, levels.len());
    let sampler = Sampler { min_filter: MinFilter::NearestMipmapNearest, ..nearest() };
    // A quarter of the size is level 2.
    let image = draw_sampled(image, sampler, ViewMode::BaseColor, |_| ())?;
    expect_pixel(&image, (0, 0), [101, 51, 201, 255], 0)?;
    expect_pixel(&image, (63, 63), [101, 51, 201, 255], 0)
}

/// The same texel both ways; read the wrong way 129 would be 189 as a color and 56 as data. (SwiftShader decodes blocks
/// in the image's format, whatever a view says, and fails here.)
fn blocks_are_colors_and_data_at_once() -> Result<(), Failed> {
    if !offered_blocks()?.bc7 {
        return Ok(());
    }
    let image = || blocks(ImageFormat::Bc7, 4, 4, &[vec![bc7([129, 129, 129, 255])]]);
    let both = |material: &mut Material| {
        material.base_color_texture = material.base_color_texture.or(material.metallic_roughness_texture);
        material.metallic_roughness_texture = material.base_color_texture;
    };
    let color = draw(image(), ViewMode::BaseColor, both)?;
    let data = draw(image(), ViewMode::MetallicRoughness, both)?;
    expect_pixel(&color, (32, 32), [129, 129, 129, 255], 0)?;
    expect_pixel(&data, (32, 32), [0, 129, 129, 255], 0)
}

fn overlays_take_only_8_bits() -> Result<(), Failed> {
    let (options, log) = options();
    let mut renderer = Renderer::headless((64, 64), options)?;
    for image in [wide(1, 1, &[0; 4]), blocks(ImageFormat::Bc7, 4, 4, &[vec![bc7([1; 4])]])] {
        match renderer.add_overlay_texture(&image) {
            Err(RendererError::UnsupportedContent { what }) => assert!(what.contains("Rgba8"), "{what}"),
            other => return Err(format!("{other:?}").into()),
        }
    }
    renderer.add_overlay_texture(&ImageData::rgba8(1, 1, vec![0; 4]))?;
    drop(renderer);
    assert_clean(&log)
}
