//! Another program that files are dragged from: speaks version 5 of the XDND protocol as a file manager does.
//!
//! The protocol: <https://www.freedesktop.org/wiki/Specifications/XDND/>.

use crate::support::{check, failed, process::poll};
use libtest_mimic::Failed;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

x11rb::atom_manager! {
    /// The names of the protocol.
    Atoms: AtomCookies {
        XdndActionCopy, XdndAware, XdndDrop, XdndEnter, XdndFinished, XdndPosition, XdndSelection, XdndStatus,
        TARGETS, TextUriList: b"text/uri-list",
    }
}

/// Of the protocol.
const VERSION: u32 = 5;

/// Seconds that the target may take for an answer.
const PATIENCE: u64 = 30;

/// What became of a drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// The target said that it has taken it.
    Taken,
    /// The target said beforehand that it wants no such thing.
    Refused,
}

/// Absolute paths as a list of URIs (RFC 2483), where everything but RFC 3986's unreserved characters is escaped.
pub fn uri_list(files: &[&Path]) -> String {
    let mut list = String::new();
    for file in files {
        list.push_str("file://");
        for byte in file.as_os_str().as_bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    list.push(char::from(*byte));
                }
                _ => write!(list, "%{byte:02X}").expect("a string takes everything"),
            }
        }
        list.push_str("\r\n");
    }
    list
}

/// Drags files onto the middle of a window, or whatever covers it there, and lets go.
///
/// Fails if nothing there takes part in the protocol, or no answer comes.
pub fn drop_files(display: &str, window: Window, files: &[&Path]) -> Result<Dropped, Failed> {
    let source = DragSource::new(display, uri_list(files))?;
    let (x, y) = source.middle(window)?;
    let target = source.target(x, y)?;
    source.send(target, source.atoms.XdndEnter, [VERSION << 24, source.atoms.TextUriList, 0, 0])?;
    // A pointer that comes closer asks again and again. Some targets read the data only after the first question.
    let mut is_welcome = false;
    for before in [3, 2, 1, 0] {
        let place = (u32::from((x - before).unsigned_abs()) << 16) | u32::from(y.unsigned_abs());
        let question = [0, place, x11rb::CURRENT_TIME, source.atoms.XdndActionCopy];
        source.send(target, source.atoms.XdndPosition, question)?;
        is_welcome = source.answer(source.atoms.XdndStatus)?[1] & 1 == 1;
    }
    if !is_welcome {
        return Ok(Dropped::Refused);
    }
    source.send(target, source.atoms.XdndDrop, [0, x11rb::CURRENT_TIME, 0, 0])?;
    let was_taken = source.answer(source.atoms.XdndFinished)?[1] & 1 == 1;
    Ok(if was_taken { Dropped::Taken } else { Dropped::Refused })
}

struct DragSource {
    connection: RustConnection,
    root: Window,
    window: Window,
    atoms: Atoms,
    offer: String,
}

impl DragSource {
    fn new(display: &str, offer: String) -> Result<Self, Failed> {
        let (connection, screen) = x11rb::connect(Some(display)).map_err(failed)?;
        let atoms = Atoms::new(&connection).map_err(failed)?.reply().map_err(failed)?;
        let screen = &connection.setup().roots[screen];
        let (root, visual) = (screen.root, screen.root_visual);
        let window = connection.generate_id().map_err(failed)?;
        let nothing = CreateWindowAux::new();
        // It is never mapped: who drags shows a picture under the pointer, if anything.
        connection
            .create_window(0, window, root, 0, 0, 1, 1, 0, WindowClass::INPUT_OUTPUT, visual, &nothing)
            .map_err(failed)?
            .check()
            .map_err(failed)?;
        connection
            .set_selection_owner(window, atoms.XdndSelection, x11rb::CURRENT_TIME)
            .map_err(failed)?
            .check()
            .map_err(failed)?;
        let owner = connection.get_selection_owner(atoms.XdndSelection).map_err(failed)?;
        let owner = owner.reply().map_err(failed)?.owner;
        check(owner == window, || "another program drags something".to_owned())?;
        Ok(Self { connection, root, window, atoms, offer })
    }

    /// Where the middle of a window is on the screen.
    fn middle(&self, window: Window) -> Result<(i16, i16), Failed> {
        let size = self.connection.get_geometry(window).map_err(failed)?.reply().map_err(failed)?;
        let (x, y) = ((size.width / 2) as i16, (size.height / 2) as i16);
        let place = self.connection.translate_coordinates(window, self.root, x, y).map_err(failed)?;
        let place = place.reply().map_err(failed)?;
        Ok((place.dst_x, place.dst_y))
    }

    /// The outermost window at that place that says it takes part: frames of window managers do not.
    fn target(&self, x: i16, y: i16) -> Result<Window, Failed> {
        let mut window = self.root;
        loop {
            let below = self.connection.translate_coordinates(self.root, window, x, y).map_err(failed)?;
            window = below.reply().map_err(failed)?.child;
            check(window != x11rb::NONE, || format!("nothing at {x}, {y} takes files"))?;
            let aware = self
                .connection
                .get_property(false, window, self.atoms.XdndAware, AtomEnum::ATOM, 0, 1)
                .map_err(failed)?
                .reply()
                .map_err(failed)?;
            let version = aware.value32().and_then(|mut values| values.next());
            if let Some(version) = version {
                check(version >= 3, || format!("{window:#x} speaks version {version}"))?;
                return Ok(window);
            }
        }
    }

    /// Tells the target something; the first of a message's five numbers is always who says it.
    fn send(&self, target: Window, what: Atom, rest: [u32; 4]) -> Result<(), Failed> {
        let [a, b, c, d] = rest;
        let message = ClientMessageEvent::new(32, target, what, [self.window, a, b, c, d]);
        self.connection
            .send_event(false, target, EventMask::NO_EVENT, message)
            .map_err(failed)?
            .check()
            .map_err(failed)
    }

    /// Waits for that message. Meanwhile, as long as it is wanted, the offer is read.
    fn answer(&self, what: Atom) -> Result<[u32; 5], Failed> {
        let answer = poll(PATIENCE, || self.next(what).transpose());
        answer.unwrap_or_else(|| Err("the target does not answer".into()))
    }

    fn next(&self, what: Atom) -> Result<Option<[u32; 5]>, Failed> {
        while let Some(event) = self.connection.poll_for_event().map_err(failed)? {
            match event {
                Event::ClientMessage(message) if message.type_ == what => {
                    return Ok(Some(message.data.as_data32()));
                }
                Event::SelectionRequest(request) => self.serve(&request)?,
                Event::Error(error) => return Err(format!("{error:?}").into()),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Writes what is dragged where the target wants it, or says that there is nothing of that type.
    fn serve(&self, request: &SelectionRequestEvent) -> Result<(), Failed> {
        let (requestor, property) = (request.requestor, request.property);
        let mut answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor,
            selection: request.selection,
            target: request.target,
            property,
        };
        let (replace, list) = (PropMode::REPLACE, self.atoms.TextUriList);
        if request.target == list {
            let offer = self.offer.as_bytes();
            self.connection.change_property8(replace, requestor, property, list, offer).map_err(failed)?;
        } else if request.target == self.atoms.TARGETS {
            let types = [self.atoms.TARGETS, list];
            self.connection
                .change_property32(replace, requestor, property, AtomEnum::ATOM, &types)
                .map_err(failed)?;
        } else {
            answer.property = x11rb::NONE;
        }
        self.connection
            .send_event(false, requestor, EventMask::NO_EVENT, answer)
            .map_err(failed)?
            .check()
            .map_err(failed)
    }
}
