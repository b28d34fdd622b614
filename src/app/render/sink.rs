//! Pictures as files, or as raw bytes on standard output.

use super::paths::{Format, Pattern};
use crate::app::error::AppError;
use crate::app::new_file::NewFile;
use crate::app::output::printable;
use crate::app::picture;
use fire_engine::assets::ImageData;
use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write as _};
use std::path::{Path, PathBuf};

/// What of a color's palette a GIF picture pays for: 1 is best and 30 fastest.
const GIF_SPEED: i32 = 10;

/// Most pictures a second of a GIF: two hundredths of a second are the shortest delay that is kept everywhere.
pub const GIF_FPS: f64 = 50.0;

/// The pictures of one model, in order.
pub struct Sink<'a> {
    kind: Kind,
    pattern: &'a Pattern,
    model: &'a Path,
    index: usize,
    /// What was written, or is being written.
    files: Vec<PathBuf>,
    /// Of a sequence in one file: what is not whole yet.
    unfinished: Option<NewFile>,
}

enum Kind {
    Files,
    Apng(png::Writer<BufWriter<File>>),
    Gif(gif::Encoder<BufWriter<File>>, f64),
    Raw(StdoutLock<'static>),
}

/// The pictures that are expected.
#[derive(Debug, Clone, Copy)]
pub struct Sequence {
    /// How many.
    pub frames: u32,
    /// Of which width and height in pixels.
    pub size: (u32, u32),
    /// How many a second.
    pub fps: f64,
    /// Whether it is shown over and over.
    pub repeats: bool,
}

impl<'a> Sink<'a> {
    /// Opens what all pictures of a model go to.
    ///
    /// # Errors
    /// [`AppError::Write`] names the file.
    pub fn open(
        pattern: &'a Pattern,
        model: &'a Path,
        index: usize,
        sequence: Sequence,
    ) -> Result<Self, AppError> {
        let mut sink = Self { kind: Kind::Files, pattern, model, index, files: Vec::new(), unfinished: None };
        match pattern.format {
            Format::Png => {}
            Format::Raw => sink.kind = Kind::Raw(io::stdout().lock()),
            Format::Apng => {
                let file = sink.create()?;
                let writer = apng(file, sequence).map_err(|error| sink.failed(error.to_string()))?;
                sink.kind = Kind::Apng(writer);
            }
            Format::Gif => {
                let file = sink.create()?;
                let encoder = gif(file, sequence).map_err(|reason| sink.failed(reason))?;
                sink.kind = Kind::Gif(encoder, sequence.fps);
            }
        }
        Ok(sink)
    }

    /// Writes the next picture.
    ///
    /// # Errors
    /// [`AppError::Write`] names the file.
    pub fn write(&mut self, frame: u32, picture: &ImageData) -> Result<(), AppError> {
        let written = match &mut self.kind {
            Kind::Files => {
                let file = self.pattern.file(self.model, self.index, frame);
                picture::write(&file, picture)?;
                self.files.push(file);
                return Ok(());
            }
            Kind::Apng(writer) => {
                writer.write_image_data(picture.pixels()).map_err(|error| error.to_string())
            }
            Kind::Gif(encoder, fps) => {
                encoder.write_frame(&gif_frame(picture, frame, *fps)).map_err(|error| error.to_string())
            }
            Kind::Raw(out) => out.write_all(picture.pixels()).map_err(|error| error.to_string()),
        };
        written.map_err(|reason| self.failed(reason))
    }

    /// Closes what is open; returns the files that were written.
    ///
    /// # Errors
    /// [`AppError::Write`] names the file.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, AppError> {
        let closed = match std::mem::replace(&mut self.kind, Kind::Files) {
            Kind::Files => Ok(()),
            Kind::Apng(writer) => writer.finish().map_err(|error| error.to_string()),
            Kind::Gif(encoder, _) => encoder
                .into_inner()
                .map_err(|error| error.to_string())
                .and_then(|mut file| file.flush().map_err(|error| error.to_string())),
            Kind::Raw(mut out) => out.flush().map_err(|error| error.to_string()),
        };
        closed.map_err(|reason| self.failed(reason))?;
        let done = self.unfinished.take().map_or(Ok(()), NewFile::done);
        done.map_err(|error| self.failed(error.to_string()))?;
        Ok(std::mem::take(&mut self.files))
    }

    /// Opens the file of a sequence, which is only there once it is finished.
    fn create(&mut self) -> Result<BufWriter<File>, AppError> {
        let file = self.pattern.file(self.model, self.index, 0);
        let begun = NewFile::begin(&file);
        self.files.push(file);
        let (file, new) = begun.map_err(|error| self.failed(error.to_string()))?;
        self.unfinished = Some(new);
        Ok(BufWriter::new(file))
    }

    fn failed(&self, reason: String) -> AppError {
        match self.files.last() {
            Some(file) => AppError::Write { file: printable(&file.to_string_lossy()), reason },
            None => AppError::standard_output(reason),
        }
    }
}

impl Drop for Sink<'_> {
    /// Some systems delete nothing that is open.
    fn drop(&mut self) {
        self.kind = Kind::Files;
    }
}

fn apng(
    file: BufWriter<File>,
    sequence: Sequence,
) -> Result<png::Writer<BufWriter<File>>, png::EncodingError> {
    let (width, height) = sequence.size;
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let (numerator, denominator) = delay(sequence.fps);
    // Each picture replaces the one before, alpha too.
    encoder.set_animated(sequence.frames, if sequence.repeats { 0 } else { 1 })?;
    encoder.set_blend_op(png::BlendOp::Source)?;
    encoder.set_frame_delay(numerator, denominator)?;
    encoder.write_header()
}

fn gif(file: BufWriter<File>, sequence: Sequence) -> Result<gif::Encoder<BufWriter<File>>, String> {
    let side =
        |side| u16::try_from(side).map_err(|_| "a GIF is at most 65535 pixels wide and high".to_owned());
    let (width, height) = (side(sequence.size.0)?, side(sequence.size.1)?);
    let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(|error| error.to_string())?;
    if sequence.repeats {
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| error.to_string())?;
    }
    Ok(encoder)
}

/// A picture of 256 colors, with alpha all or nothing.
fn gif_frame(picture: &ImageData, frame: u32, fps: f64) -> gif::Frame<'static> {
    let mut pixels = picture.pixels().to_vec();
    for pixel in pixels.chunks_exact_mut(4).filter(|pixel| pixel[3] < 128) {
        pixel.fill(0);
    }
    let (width, height) = (picture.width as u16, picture.height as u16);
    let mut encoded = gif::Frame::from_rgba_speed(width, height, &mut pixels, GIF_SPEED);
    encoded.delay = centiseconds(frame, fps);
    // What was transparent in this picture must not show the one before.
    encoded.dispose = gif::DisposalMethod::Background;
    encoded
}

/// How long a picture is shown, so that the whole keeps its pace although each is a whole number. Browsers show for ten
/// what is to be shown for less than two.
fn centiseconds(frame: u32, fps: f64) -> u16 {
    let at = |frame: f64| (frame * 100.0 / fps).round();
    (at(f64::from(frame) + 1.0) - at(f64::from(frame))).clamp(2.0, f64::from(u16::MAX)) as u16
}

/// Seconds between pictures as a fraction.
fn delay(fps: f64) -> (u16, u16) {
    let (mut numerator, most) = (1000.0, f64::from(u16::MAX));
    while numerator > 1.0 && (numerator * fps).round() > most {
        numerator /= 10.0;
    }
    let denominator = (numerator * fps).round();
    if denominator >= 1.0 {
        (numerator as u16, denominator.min(most) as u16)
    } else {
        // Fewer than one picture in a thousand seconds.
        ((1.0 / fps).min(most) as u16, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_to_the_pace() {
        for fps in [1.0, 24.0, 30.0, 29.97, 49.9, GIF_FPS] {
            let delays = || (0..300).map(|frame| u32::from(centiseconds(frame, fps)));
            let total: u32 = delays().sum();
            assert!((f64::from(total) - 30_000.0 / fps).abs() <= 1.0, "{fps} {total}");
            assert!(delays().all(|delay| delay >= 2), "{fps}");
        }
        assert_eq!(centiseconds(0, 1e-9), u16::MAX);
    }

    #[test]
    fn fractions_are_near_the_pace_and_fit_their_places() {
        for fps in [0.5, 1.0, 23.976, 30.0, 60.0, 65.5, 65.6, 120.0, 1000.0] {
            let (numerator, denominator) = delay(fps);
            let seconds = f64::from(numerator) / f64::from(denominator);
            assert!((seconds * fps - 1.0).abs() < 1e-3, "{fps}: {numerator}/{denominator}");
        }
        assert_eq!(delay(1e-4), (10_000, 1));
        assert_eq!(delay(1e-9), (u16::MAX, 1));
    }
}
