//! Letters that egui's own fonts lack (Chinese, Japanese, Arabic, …), from the fonts of the system.

use super::text;
use crate::app::view::seen::Seen;
use crate::app::view::stage::{Stage, name};
use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily, TextStyle};
use fontdb::{Database, FaceInfo, Style, Weight};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use ttf_parser::Face;

/// So many fonts are added for one model at most.
const MOST_FONTS: usize = 4;

/// So many are added in all: each may be tens of megabytes.
const MOST_ADDED: usize = 16;

/// So many different letters are looked for at most: more than all that a language in use has.
const MOST_LETTERS: usize = 30_000;

/// What was looked for, and what is being looked for.
#[derive(Debug, Default)]
pub struct Fonts {
    /// What was on show when names were last looked at.
    seen: Option<Key>,
    tried: HashSet<char>,
    search: Option<Receiver<Vec<(String, FontData)>>>,
    added: HashSet<String>,
}

/// What brings new names.
#[derive(Debug, PartialEq)]
struct Key {
    scene: fire_engine::scene::SceneIdentity,
    models: usize,
    message: Option<String>,
}

impl Fonts {
    /// Within a run of egui: looks for what the names on show need, on a thread that calls `wake` at its end, and adds what was
    /// found, for the next run. Without such a font on the system they stay boxes.
    pub fn update(&mut self, context: &Context, seen: &Seen<'_>, wake: impl FnOnce() + Send + 'static) {
        if let Some(search) = &self.search {
            match search.try_recv() {
                Ok(found) => {
                    self.search = None;
                    found.into_iter().for_each(|(name, font)| self.add(context, name, font));
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.search = None,
            }
        }
        let key = Key {
            scene: seen.stage.content.scene.identity(),
            models: seen.models.len(),
            message: seen.message.map(text::message),
        };
        if self.seen.as_ref() == Some(&key) {
            return;
        }
        let mut letters = HashSet::new();
        let files = seen.models.iter().map(|model| name(Some(model)));
        files.chain(key.message.clone()).for_each(|text| self.note(&mut letters, &text));
        each_name(seen.stage, |text| self.note(&mut letters, text));
        self.seen = Some(key);
        self.tried.extend(&letters);
        let font = TextStyle::Body.resolve(&context.style());
        context.fonts_mut(|fonts| letters.retain(|letter| !fonts.has_glyph(&font, *letter)));
        if !letters.is_empty() {
            self.search(letters, wake);
        }
    }

    /// Egui's fonts have all of Latin.
    fn note(&self, letters: &mut HashSet<char>, text: &str) {
        let others = text.chars().filter(|letter| *letter > '\u{ff}' && !self.tried.contains(letter));
        letters.extend(others.take(MOST_LETTERS.saturating_sub(letters.len())));
    }

    fn search(&mut self, letters: HashSet<char>, wake: impl FnOnce() + Send + 'static) {
        let (sender, found) = channel();
        let work = move || {
            let mut database = Database::new();
            database.load_system_fonts();
            // The window may be gone.
            let _unwanted = sender.send(fonts_for(&database, letters));
            wake();
        };
        // Without a thread they stay boxes.
        if std::thread::Builder::new().name("fonts".to_owned()).spawn(work).is_ok() {
            self.search = Some(found);
        }
    }

    /// Behind all others, so that nothing that was legible looks different.
    fn add(&mut self, context: &Context, name: String, font: FontData) {
        if self.added.len() >= MOST_ADDED || !self.added.insert(name.clone()) {
            return;
        }
        let behind = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
        let families = [FontFamily::Proportional, FontFamily::Monospace].map(behind).into();
        context.add_font(FontInsert { name, data: font, families });
        context.request_repaint();
    }
}

/// Every text from the file that the panel shows.
fn each_name(stage: &Stage, mut see: impl FnMut(&str)) {
    let content = &stage.content;
    for node in content.scene.nodes() {
        see(node.name());
        see(node.camera_name());
    }
    content.document.scenes.iter().for_each(|name| see(name));
    content.scene.variants().for_each(&mut see);
    content.animations.iter().for_each(|clip| see(clip.name()));
    content.assets.meshes().iter().for_each(|mesh| see(&mesh.name));
    content.assets.materials().iter().for_each(|material| see(&material.name));
    content.assets.textures().iter().for_each(|texture| see(&texture.name));
    content.assets.images().iter().for_each(|image| see(&image.name));
    stage.report.rows.iter().for_each(|note| see(&note.message));
}

/// The fonts with most of the letters, then with most of those that are still missing, with names that tell them apart.
fn fonts_for(database: &Database, mut letters: HashSet<char>) -> Vec<(String, FontData)> {
    let mut fonts = Vec::new();
    while !letters.is_empty() && fonts.len() < MOST_FONTS {
        let drawn = |face: &FaceInfo| {
            let count = |data: &[u8], index| drawn_letters(data, index, &letters).count();
            database.with_face_data(face.id, count).unwrap_or(0)
        };
        // Of those with as many the plainest.
        let rank = |face: &FaceInfo| {
            let is_plain = (face.weight == Weight::NORMAL, face.style == Style::Normal, !face.monospaced);
            (drawn(face), is_plain)
        };
        let ranked = database.faces().map(|face| (rank(face), face.id));
        let Some(((1.., _), best)) = ranked.max_by_key(|(rank, _)| *rank) else { break };
        let font = database.with_face_data(best, |data, index| {
            let found: HashSet<char> = drawn_letters(data, index, &letters).collect();
            (found, FontData { index, ..FontData::from_owned(data.to_vec()) })
        });
        let Some((found, font)) = font else { break };
        letters.retain(|letter| !found.contains(letter));
        let name = database.face(best).map_or("", |face| &face.post_script_name);
        fonts.push((format!("{name} {}", font.index), font));
    }
    fonts
}

/// Those that a face has as outlines. Bitmaps, as of colored signs, egui does not draw.
fn drawn_letters<'a>(data: &'a [u8], index: u32, letters: &'a HashSet<char>) -> impl Iterator<Item = char> {
    let face = Face::parse(data, index).ok();
    letters.iter().copied().filter(move |letter| {
        let outline = |face: &Face<'_>| face.glyph_bounding_box(face.glyph_index(*letter)?);
        face.as_ref().and_then(outline).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use egui::FontDefinitions;
    use fire_engine::scene::Content;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    /// The fonts that egui brings along: Latin, Greek and Cyrillic in two of them, signs in the others.
    fn database() -> Database {
        let mut database = Database::new();
        for font in FontDefinitions::default().font_data.values() {
            database.load_font_data(font.font.to_vec());
        }
        assert!(database.len() >= 4);
        database
    }

    #[test]
    fn fonts_are_chosen_by_how_many_of_the_letters_they_draw() {
        let letters: HashSet<char> = "\u{436}\u{444}\u{3c9}\u{1f600}\u{10ffff}".chars().collect();
        let fonts = fonts_for(&database(), letters.clone());
        let drawn: Vec<HashSet<char>> =
            fonts.iter().map(|(_, font)| drawn_letters(&font.font, font.index, &letters).collect()).collect();
        assert_eq!(drawn.len(), 2, "one of the two with Cyrillic is enough");
        assert!(drawn[0].len() == 3 && drawn[0].contains(&'\u{436}'), "{drawn:?}");
        assert!(drawn[1].contains(&'\u{1f600}'), "{drawn:?}");
    }

    #[test]
    fn letters_that_no_font_has_and_systems_without_fonts_end_the_search() {
        let nobodys = || HashSet::from(['\u{10fffe}', '\u{e123}']);
        assert!(fonts_for(&database(), nobodys()).is_empty());
        assert!(fonts_for(&Database::new(), HashSet::from(['x'])).is_empty());
        let mut broken = Database::new();
        broken.load_font_data(vec![0; 100]);
        assert!(fonts_for(&broken, HashSet::from(['x'])).is_empty());
    }

    #[test]
    fn names_are_looked_at_once_and_only_letters_that_egui_lacks_are_searched() {
        let named = |name: &str| {
            let mut content = Content::default();
            content.scene.add_root(name).unwrap();
            Bench::new(stage(content))
        };
        let never = || -> Box<dyn FnOnce() + Send> { Box::new(|| panic!("nothing is to be searched")) };
        let mut fonts = Fonts::default();
        let mut plain = named("K\u{f6}rper \u{436}");
        let context = plain.context.clone();
        plain.seen(|seen| fonts.update(&context, seen, never()));
        assert!(fonts.search.is_none());
        // Of no system's fonts, so that nothing is found wherever this runs.
        let mut private = named("\u{10fffe}");
        let (sender, woken) = sync_channel(1);
        let wake = move || sender.send(()).unwrap_or_default();
        private.seen(|seen| fonts.update(&context, seen, wake));
        woken.recv_timeout(Duration::from_secs(60)).expect("the search comes to its end");
        for message in [None, Some("something else \u{10fffe}".to_owned())] {
            // What was not found is not looked for again when there is another text to look at.
            private.message = message;
            private.seen(|seen| fonts.update(&context, seen, never()));
            assert!(fonts.search.is_none() && fonts.added.is_empty());
        }
        let font = FontDefinitions::default().font_data.values().next().map(|font| FontData::clone(font));
        let font = font.unwrap();
        for name in ["one", "one", "two"] {
            fonts.add(&context, name.to_owned(), font.clone());
        }
        assert_eq!(fonts.added.len(), 2);
        (0..MOST_ADDED).for_each(|number| fonts.add(&context, number.to_string(), font.clone()));
        assert_eq!(fonts.added.len(), MOST_ADDED);
        assert_eq!(plain.settle(), [], "drawn with it");
    }
}
