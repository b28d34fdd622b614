//! The document together with its bytes, and how faults in it are worded.

use super::document::{BufferView, Root, Whole};
use super::resource::{Piece, Resource};
use super::steps::Steps;
use super::support::lacking;
use super::text::{Lazy, shown};
use super::uri::data_uri;
use super::{LoadError, LoadLimits, LoadOptions, LoadPhase, ResolveError, Resolver, ResourceName};
use bytemuck::Pod;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::ops::Range;

/// Buffers with less than so many bytes an accessor are read as a whole, by one call instead of one for each accessor.
const SPARSELY_READ: usize = 4 << 10;

/// So many files are kept open at most; systems allow a process some hundreds.
const OPEN_FILES: usize = 16;

/// What holds the data of buffers.
enum Held<'a> {
    /// The binary chunk of a GLB.
    Chunk(Piece<'a>),
    /// A file or a data URI.
    Resource(Resource),
}

impl Held<'_> {
    fn piece(&self) -> Piece<'_> {
        match self {
            Self::Chunk(piece) => *piece,
            Self::Resource(resource) => resource.piece(),
        }
    }
}

/// A part of a buffer.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub piece: Piece<'a>,
    /// For messages.
    pub buffer: usize,
}

/// What every importing step reads from.
///
/// JSON paths are handed over as something that can be written (`format_args!`), because most are never shown.
pub(super) struct Source<'a> {
    /// For messages.
    pub file: &'a str,
    pub json: &'a Root,
    pub limits: &'a LoadLimits,
    pub options: &'a LoadOptions,
    steps: &'a Steps<'a>,
    resolver: &'a dyn Resolver,
    /// Extensions that the document declares.
    declared: HashSet<&'a str>,
    /// The binary chunk of a GLB first, if there is one, then each distinct file and data URI that is a buffer's.
    files: Vec<Held<'a>>,
    /// For each buffer the file that holds it. `None`: the document gives no data, which matters only when it is used.
    buffers: Vec<Option<usize>>,
    fetched: Cell<u64>,
    /// Names that the resolver was asked for and did not refuse.
    asked: RefCell<Vec<String>>,
    /// Files that stay open.
    open: usize,
    /// Bytes of views that were copied from a file to memory.
    copied: Cell<u64>,
    decoded: Cell<u64>,
    unbacked: Cell<u64>,
    /// For each buffer view its decoded bytes, if it is compressed and was asked for.
    #[cfg(feature = "meshopt")]
    pub(super) decoded_views: Vec<std::cell::OnceCell<super::meshopt::Decoded>>,
    /// Bytes of a GLB's binary chunk that no buffer takes, but for padding.
    pub unused_binary: usize,
    /// Buffers that only compressed views name.
    unread: HashSet<usize>,
}

impl<'a> Source<'a> {
    /// Reads every buffer that names its data.
    pub fn new(
        file: &'a str,
        json: &'a Root,
        binary: Option<Piece<'a>>,
        resolver: &'a dyn Resolver,
        options: &'a LoadOptions,
        steps: &'a Steps<'a>,
    ) -> Result<Self, LoadError> {
        let mut source = Self {
            file,
            json,
            limits: &options.limits,
            options,
            steps,
            resolver,
            declared: json.declared_extensions(),
            files: Vec::new(),
            buffers: Vec::with_capacity(json.buffers.len()),
            fetched: Cell::new(0),
            asked: RefCell::default(),
            open: 0,
            copied: Cell::new(0),
            decoded: Cell::new(0),
            unbacked: Cell::new(0),
            unused_binary: 0,
            #[cfg(feature = "meshopt")]
            decoded_views: json.buffer_views.iter().map(|_| Default::default()).collect(),
            #[cfg(feature = "meshopt")]
            unread: super::meshopt::unread(json),
            #[cfg(not(feature = "meshopt"))]
            unread: HashSet::new(),
        };
        // Buffers may share a file, each with a length of its own; no more of it is kept than the longest needs.
        // Sorted, because to compare data URIs takes less than to hash them.
        let mut needed: BTreeMap<&str, (usize, Option<usize>)> = BTreeMap::new();
        for buffer in &json.buffers {
            if let Some(uri) = &buffer.uri {
                let (needed, _) = needed.entry(uri).or_default();
                *needed = buffer.byte_length.index().max(*needed);
            }
        }
        for (index, buffer) in json.buffers.iter().enumerate() {
            source.progress(LoadPhase::Buffers, index, json.buffers.len())?;
            let file = match (&buffer.uri, index, binary) {
                _ if source.unread.contains(&index) => None,
                (Some(uri), ..) => {
                    let (needed, file) = needed.entry(uri).or_default();
                    if file.is_none() {
                        let mut data = source.open(uri, format_args!("buffers[{index}].uri"))?;
                        data.truncate(*needed);
                        *file = Some(source.hold(Held::Resource(data), index)?);
                    }
                    *file
                }
                (None, 0, Some(binary)) => Some(source.hold(Held::Chunk(binary), index)?),
                (None, ..) => None,
            };
            let length = buffer.byte_length.index();
            if let Some(data) = file.and_then(|file| source.files.get(file)).map(Held::piece)
                && data.len() < length
            {
                let reason = format!(
                    "byteLength is {length}, but its data has {} bytes; the data is cut off or belongs to another \
                     file",
                    data.len()
                );
                return Err(source.invalid(format_args!("buffers[{index}]"), reason));
            }
            source.buffers.push(file);
        }
        if let Some(binary) = binary {
            let taken =
                json.buffers.first().filter(|buffer| buffer.uri.is_none() && source.buffers[0].is_some());
            let surplus = binary.len().saturating_sub(taken.map_or(0, |buffer| buffer.byte_length.index()));
            source.unused_binary = if taken.is_some() && surplus < 4 { 0 } else { surplus };
        }
        source.progress(LoadPhase::Buffers, json.buffers.len(), json.buffers.len())?;
        Ok(source)
    }

    /// Keeps the data of buffers, `buffer` the first of them; returns its place. What would be read in many small parts is
    /// read now.
    fn hold(&mut self, held: Held<'a>, buffer: usize) -> Result<usize, LoadError> {
        let piece = held.piece();
        let in_parts = piece.len() / SPARSELY_READ >= self.json.accessors.len();
        let open = piece.is_in_file() && in_parts && self.open < OPEN_FILES;
        let held = if open || !piece.is_in_file() {
            self.open += usize::from(open);
            held
        } else {
            let bytes = piece.bytes().map_err(|error| self.unreadable(buffer, error))?;
            Held::Resource(bytes.into_owned().into())
        };
        self.files.push(held);
        Ok(self.files.len() - 1)
    }

    /// The error for data that could not be read from the file that holds it.
    pub fn unreadable(&self, buffer: usize, error: std::io::Error) -> LoadError {
        let (file, cause) = (self.file.to_owned(), ResolveError::Io(error));
        match self.json.buffers.get(buffer).and_then(|buffer| buffer.uri.as_ref()) {
            Some(uri) => {
                let json_path = format!("buffers[{buffer}].uri");
                LoadError::Resource { file, json_path, uri: shown(uri), cause }
            }
            None => LoadError::Read { file, cause },
        }
    }

    /// Tells the caller how far the load has come, and asks whether to go on.
    pub fn progress(&self, phase: LoadPhase, done: usize, total: usize) -> Result<(), LoadError> {
        self.steps.tell(phase, done, total)
    }

    /// The bytes behind a URI: inline, or from the resolver. They count towards the limit on all of them.
    pub fn fetch(&self, uri: &str, json_path: impl Display) -> Result<Vec<u8>, LoadError> {
        self.get_hold(uri, json_path, |name, limit| self.resolver.read(name, limit), Vec::len)
    }

    /// As [`fetch`](Self::fetch), without reading all of it where that can be done later.
    fn open(&self, uri: &str, json_path: impl Display) -> Result<Resource, LoadError> {
        let length = |resource: &Resource| resource.piece().len();
        self.get_hold(uri, json_path, |name, limit| self.resolver.open(name, limit), length)
    }

    fn get_hold<T: From<Vec<u8>>>(
        &self,
        uri: &str,
        json_path: impl Display,
        resolve: impl Fn(&ResourceName, u64) -> Result<T, ResolveError>,
        length: impl Fn(&T) -> usize,
    ) -> Result<T, LoadError> {
        let (before, total) = (self.fetched.get(), self.limits.fetched_bytes);
        let left = total.saturating_sub(before);
        let charge = |bytes: u64| {
            let fetched = before.saturating_add(bytes);
            self.check("the data of files and data URIs", fetched, total, "fetched_bytes", &json_path)?;
            self.fetched.set(fetched);
            Ok(())
        };
        let limit = self.limits.file_bytes.min(left);
        let read = || match data_uri(uri) {
            Some(bytes) => bytes.map(T::from),
            None => {
                let name = ResourceName::parse(uri)?;
                let found = resolve(&name, limit);
                if !matches!(found, Err(ResolveError::Refused { .. })) {
                    self.asked.borrow_mut().push(name.decoded().to_owned());
                }
                found
            }
        };
        let refused = |cause: ResolveError| LoadError::Resource {
            file: self.file.to_owned(),
            json_path: json_path.to_string(),
            uri: shown(uri),
            cause,
        };
        match read() {
            // What is left of the total was the tighter bound, so that is the one to name.
            Err(ResolveError::TooLarge { .. }) if left < self.limits.file_bytes => {
                charge(left.saturating_add(1))?;
                Err(refused(ResolveError::TooLarge { limit }))
            }
            Err(error) => Err(refused(error)),
            // A resolver is the application's code, so its promise about the limit is checked.
            Ok(data) if length(&data) as u64 > self.limits.file_bytes => {
                Err(refused(ResolveError::TooLarge { limit: self.limits.file_bytes }))
            }
            Ok(data) => {
                charge(length(&data) as u64)?;
                Ok(data)
            }
        }
    }

    /// The names of the files that were fetched, or would have been if they were there, each once.
    pub fn resources(&self) -> Vec<String> {
        let asked = self.asked.borrow();
        let mut known = HashSet::new();
        asked.iter().filter(|&name| known.insert(name)).cloned().collect()
    }

    /// What a buffer view holds.
    pub fn view(&self, view: Whole, referrer: impl Display) -> Result<Part<'_>, LoadError> {
        let (index, view) = self.get(&self.json.buffer_views, "buffer view", view, referrer)?;
        #[cfg(feature = "meshopt")]
        if let Some(bytes) = self.decompressed(index, view)? {
            return Ok(Part { piece: Piece::Memory(bytes), buffer: view.buffer.index() });
        }
        let path = Lazy(|| format!("bufferViews[{index}]"));
        let others = view.extensions.iter().flat_map(|extensions| &extensions.others);
        if self.buffer(view.buffer.index()).is_none()
            && let Some(lacking) = lacking(others.map(String::as_str))
        {
            let reason = format!("its data is only in the extension {lacking}; export the file without it");
            return Err(self.unsupported(path, reason));
        }
        self.part(view.buffer, view.byte_offset, view.byte_length, path)
    }

    /// A range of a buffer, whose data the document has to give.
    pub fn part(
        &self,
        buffer: Whole,
        offset: Option<Whole>,
        bytes: Whole,
        path: impl Display + Copy,
    ) -> Result<Part<'_>, LoadError> {
        let range = self.range(buffer, offset, bytes, path)?;
        let Some(data) = self.buffer(buffer.index()) else {
            let reason =
                format!("buffers[{}] has neither a uri nor a GLB's binary chunk; give it its data", buffer.0);
            return Err(self.unsupported(path, reason));
        };
        // The range fits the declared length, and the data is at least as long.
        let piece = data.get(range).ok_or_else(|| self.invalid(path, "its bytes lie outside its buffer"))?;
        Ok(Part { piece, buffer: buffer.index() })
    }

    /// The bytes of a part, all of them at once.
    ///
    /// Parts may overlap, and a short text can name one again and again; so what is copied from files is counted. Only
    /// what was copied several times can reach the limit.
    pub fn bytes<'p>(&self, part: Part<'p>, path: impl Display) -> Result<Cow<'p, [u8]>, LoadError> {
        if part.piece.is_in_file() {
            let copied = self.copied.get().saturating_add(part.piece.len() as u64);
            let limit = self.limits.file_bytes.saturating_add(self.limits.fetched_bytes);
            let what = "the images and compressed data that were read from overlapping buffer views";
            self.check(what, copied, limit, "fetched_bytes", path)?;
            self.copied.set(copied);
        }
        part.piece.bytes().map_err(|error| self.unreadable(part.buffer, error))
    }

    /// The data of a buffer, if the document gives it.
    fn buffer(&self, buffer: usize) -> Option<Piece<'_>> {
        let file = self.buffers.get(buffer).copied().flatten()?;
        self.files.get(file).map(Held::piece)
    }

    /// Where a view lies in its buffer, checked against the buffer's declared length.
    pub fn view_range(&self, view: &BufferView, path: impl Display) -> Result<Range<usize>, LoadError> {
        self.range(view.buffer, view.byte_offset, view.byte_length, path)
    }

    /// As [`view_range`](Self::view_range), for a range of any buffer.
    pub fn range(
        &self,
        buffer: Whole,
        offset: Option<Whole>,
        bytes: Whole,
        path: impl Display,
    ) -> Result<Range<usize>, LoadError> {
        let (index, buffer) = self.get(&self.json.buffers, "buffer", buffer, &path)?;
        let start = offset.map_or(0, |offset| offset.0);
        let length = buffer.byte_length.0;
        match start.checked_add(bytes.0).filter(|&end| end <= length) {
            // Beyond the machine's word nothing can be loaded, so clamping makes the read fail.
            Some(end) => {
                Ok(usize::try_from(start).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(usize::MAX))
            }
            None => {
                let reason = format!(
                    "{} bytes from {start} lie outside buffers[{index}], which has {length}; correct byteOffset and \
                     byteLength",
                    bytes.0
                );
                Err(self.invalid(path, reason))
            }
        }
    }

    /// Whether views on the buffer lack its bytes.
    pub fn lacks_data(&self, buffer: usize) -> bool {
        self.buffers.get(buffer).is_none_or(Option::is_none) && !self.unread.contains(&buffer)
    }

    /// The entry of a list that `referrer` names.
    pub fn get<'t, T>(
        &self,
        list: &'t [T],
        what: &str,
        index: Whole,
        referrer: impl Display,
    ) -> Result<(usize, &'t T), LoadError> {
        let found = list.get(index.index()).map(|entry| (index.index(), entry));
        found.ok_or_else(|| {
            let reason = format!(
                "{what} {} does not exist; the document has {}, numbered from 0",
                index.0,
                list.len()
            );
            self.invalid(referrer, reason)
        })
    }

    /// Bytes of decoded data so far.
    pub fn decoded_bytes(&self) -> u64 {
        self.decoded.get()
    }

    /// Counts memory that the file asks for, before it is allocated.
    pub fn charge(&self, bytes: u64, json_path: impl Display) -> Result<(), LoadError> {
        let total = self.decoded.get().saturating_add(bytes);
        self.check("the decoded data", total, self.limits.decoded_bytes, "decoded_bytes", json_path)?;
        self.decoded.set(total);
        Ok(())
    }

    /// Takes back what was charged for memory that is free again, or was not needed after all.
    pub fn give_back(&self, bytes: u64) {
        self.decoded.set(self.decoded.get().saturating_sub(bytes));
    }

    /// Counts memory that no byte of the file stands for, besides [`charge`](Self::charge).
    pub fn charge_unbacked(&self, bytes: u64, json_path: impl Display) -> Result<(), LoadError> {
        let (total, limit) = (self.unbacked.get().saturating_add(bytes), self.limits.unbacked_bytes);
        let what = "the data that takes no bytes in the file (accessors without a bufferView, lists of morph targets)";
        self.check(what, total, limit, "unbacked_bytes", json_path)?;
        self.unbacked.set(total);
        Ok(())
    }

    /// `count` zeros, counted; an error rather than an abort where memory is short.
    pub fn zeros<T: Pod>(&self, count: usize, json_path: impl Display) -> Result<Vec<T>, LoadError> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        self.charge(bytes, &json_path)?;
        // The allocator knows of pages that are zeros already.
        bytemuck::try_zeroed_vec(count).map_err(|()| self.out_of_memory(bytes, json_path))
    }

    /// Counts memory that a decoder is about to take, and sees whether it is there: decoders abort where it is not.
    #[cfg(feature = "meshopt")]
    pub fn room(&self, bytes: u64, json_path: impl Display) -> Result<(), LoadError> {
        self.charge(bytes, &json_path)?;
        let asked = usize::try_from(bytes).map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
        if matches!(asked, Ok(Ok(()))) { Ok(()) } else { Err(self.out_of_memory(bytes, json_path)) }
    }

    pub fn out_of_memory(&self, bytes: u64, json_path: impl Display) -> LoadError {
        LoadError::OutOfMemory { file: self.file.to_owned(), json_path: json_path.to_string(), bytes }
    }

    /// Compares a measure with a limit.
    pub fn check(
        &self,
        what: &'static str,
        actual: u64,
        limit: u64,
        field: &'static str,
        json_path: impl Display,
    ) -> Result<(), LoadError> {
        if actual <= limit {
            return Ok(());
        }
        let (file, json_path) = (self.file.to_owned(), json_path.to_string());
        Err(LoadError::Limit { file, json_path, what, actual, limit, field })
    }

    pub fn invalid(&self, json_path: impl Display, reason: impl Into<String>) -> LoadError {
        LoadError::Invalid {
            file: self.file.to_owned(),
            json_path: json_path.to_string(),
            reason: reason.into(),
        }
    }

    pub fn unsupported(&self, json_path: impl Display, reason: impl Into<String>) -> LoadError {
        LoadError::Unsupported {
            file: self.file.to_owned(),
            json_path: json_path.to_string(),
            reason: reason.into(),
        }
    }

    /// Whether the document declares the extension.
    pub fn uses(&self, extension: &str) -> bool {
        self.declared.contains(extension)
    }
}
