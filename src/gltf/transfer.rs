//! Moving elements from where they lie to where they are wanted: block by block, so that a block is read, converted and
//! looked at while the processor's cache holds it, and on several threads where there is much to move.

use super::convert::Strided;
use super::layout::{Component, Format};
use super::resource::Piece;
use bytemuck::Pod;
use std::io;
use std::sync::{Mutex, PoisonError};

/// About the bytes of a block.
const BLOCK: usize = 128 << 10;

/// Blocks that a thread takes at a time.
const SHARE: usize = 4;

/// Another thread takes part for each so many bytes. To move them takes some times as long as to start it.
const WORTH_A_THREAD: usize = 1 << 20;

/// From this stride on, elements are read from a file one by one, and what lies between them is not.
const FAR_APART: usize = 2048;

/// How components become `C`s.
#[derive(Clone, Copy)]
pub(super) struct Kernel<C> {
    /// The type of components that are `C`s already.
    pub same: Component,
    pub fill: fn(Format, Strided<'_>, &mut [C]),
}

/// Elements to be moved.
pub(super) struct Transfer<'a, C> {
    /// From the first element to behind the last, which may lack the padding of a stride.
    pub piece: Piece<'a>,
    /// Bytes from one to the next, at least as many as an element has.
    pub stride: usize,
    pub format: Format,
    pub kernel: Kernel<C>,
}

impl<C: Pod + Send> Transfer<'_, C> {
    /// Fills `out` with the components of as many elements; returns the largest of what `see` makes of the blocks.
    pub fn run<S: Ord + Default + Send>(
        &self,
        threads: usize,
        out: &mut [C],
        see: &(impl Fn(&[C]) -> S + Sync),
    ) -> io::Result<S> {
        let others = (size_of_val(out) / WORTH_A_THREAD).min(threads.saturating_sub(1));
        let shares = out.chunks_mut(self.share() * self.format.components).enumerate();
        if others == 0 {
            return self.work(shares, see).map_err(|(_, error)| error);
        }
        let shares = Mutex::new(shares);
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || self.work(std::iter::from_fn(next), see);
        let results = std::thread::scope(|scope| {
            // Where the system gives fewer threads, those do the work.
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (0..others).map_while(start).collect();
            let own = work();
            let others = others.into_iter().map(|other| match other.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            others.chain([own]).collect::<Vec<_>>()
        });
        let mut seen = S::default();
        // Whichever thread met it, the first fault in the order of the elements is the one to tell.
        let mut fault: Option<(usize, io::Error)> = None;
        for result in results {
            match result {
                Ok(other) => seen = seen.max(other),
                Err(other) if fault.as_ref().is_none_or(|fault| other.0 < fault.0) => fault = Some(other),
                Err(_) => {}
            }
        }
        fault.map_or(Ok(seen), |(_, error)| Err(error))
    }

    /// Elements of a block.
    fn block(&self) -> usize {
        (BLOCK / self.stride.max(self.format.components * size_of::<C>())).max(1)
    }

    /// Elements of a share.
    fn share(&self) -> usize {
        SHARE * self.block()
    }

    /// Moves numbered shares. An error has the share's number.
    fn work<'o, S: Ord + Default>(
        &self,
        shares: impl Iterator<Item = (usize, &'o mut [C])>,
        see: &impl Fn(&[C]) -> S,
    ) -> Result<S, (usize, io::Error)>
    where
        C: 'o,
    {
        let components = self.format.components;
        let apart = self.piece.is_in_file() && self.stride >= FAR_APART;
        let block = if apart { 1 } else { self.block() };
        let mut scratch = Vec::new();
        let mut seen = S::default();
        for (number, share) in shares {
            for (index, out) in share.chunks_mut(block * components).enumerate() {
                let first = number * self.share() + index * block;
                self.fill(first, out, &mut scratch).map_err(|error| (number, error))?;
                seen = seen.max(see(out));
            }
        }
        Ok(seen)
    }

    /// Moves the elements from number `first` on.
    fn fill(&self, first: usize, out: &mut [C], scratch: &mut Vec<u8>) -> io::Result<()> {
        let (format, stride) = (self.format, self.stride);
        let size = format.components * format.component.size();
        let start = first * stride;
        let length = (out.len() / format.components - 1) * stride + size;
        let piece = self.piece.get(start..start + length).ok_or(io::ErrorKind::UnexpectedEof)?;
        // As this machine stores them.
        let packed = cfg!(target_endian = "little") && format.component == self.kernel.same && stride == size;
        let bytes = match piece {
            _ if packed => return piece.copy_to(bytemuck::cast_slice_mut(out)),
            Piece::Memory(bytes) => bytes,
            Piece::File { .. } => {
                scratch.resize(length, 0);
                piece.copy_to(scratch)?;
                scratch
            }
        };
        (self.kernel.fill)(format, Strided { bytes, stride }, out);
        Ok(())
    }
}
