//! Which of the images that a texture names is read.

use super::document::{Texture, Whole};
use super::support::{self, BASISU, Support, WEBP};

/// The images that a texture names, the best first, each with its path below the texture.
pub(super) fn sources(texture: &Texture) -> [(&'static str, Option<Whole>); 3] {
    let extensions = texture.extensions.as_ref();
    [
        (
            "extensions.KHR_texture_basisu.source",
            extensions.and_then(|e| e.basisu.as_ref()).and_then(|s| s.source),
        ),
        (
            "extensions.EXT_texture_webp.source",
            extensions.and_then(|e| e.webp.as_ref()).and_then(|s| s.source),
        ),
        ("source", texture.source),
    ]
}

/// The best image of a texture that this build can decode.
pub(super) fn chosen(texture: &Texture) -> Option<Whole> {
    let [(_, basisu), (_, webp), (_, plain)] = sources(texture);
    let read =
        |extension: &str, image: Option<Whole>| image.filter(|_| support::support(extension) == Support::Yes);
    read(BASISU, basisu).or(read(WEBP, webp)).or(plain)
}

/// What a texture's image needs that this build lacks, where every image of it is in extensions.
pub(super) fn lacking(texture: &Texture) -> Option<String> {
    let extensions = texture.extensions.as_ref()?;
    let named = [(BASISU, extensions.basisu.is_some()), (WEBP, extensions.webp.is_some())];
    let named = named.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
    support::lacking(named.chain(extensions.others.iter().map(String::as_str)))
}
