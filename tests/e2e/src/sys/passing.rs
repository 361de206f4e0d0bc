// SPDX-License-Identifier: MIT OR Apache-2.0

//! Passing an open file to another process over a socket (SCM_RIGHTS).
//!
//! A [`Lane`] is made by the test before it forks the actors, so both ends are
//! the same descriptor numbers everywhere.

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{IntoRawFd, RawFd};

use nix::sys::socket::{
    recvmsg, sendmsg, socketpair, AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags,
    SockFlag, SockType,
};

use super::device::Device;

/// A socket pair; what is put into the first end comes out of the second.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    entry: RawFd,
    exit: RawFd,
}

impl Lane {
    /// A new lane, to be made before the actors that use it.
    pub(crate) fn new() -> Self {
        let pair = socketpair(
            AddressFamily::Unix,
            SockType::Stream,
            None,
            SockFlag::empty(),
        );
        let (entry, exit) = pair.expect("a socket pair");
        Self {
            entry: entry.into_raw_fd(),
            exit: exit.into_raw_fd(),
        }
    }

    /// Sends the open file of `device`; the sender keeps its descriptor.
    pub(crate) fn send(self, device: Device) {
        let files = [device.0];
        let rights = [ControlMessage::ScmRights(&files)];
        sendmsg::<()>(
            self.entry,
            &[IoSlice::new(b"f")],
            &rights,
            MsgFlags::empty(),
            None,
        )
        .expect("send a file");
    }

    /// Receives an open file as a new descriptor of the caller.
    pub(crate) fn receive(self) -> Device {
        let mut byte = [0];
        let mut parts = [IoSliceMut::new(&mut byte)];
        let mut space = nix::cmsg_space!([RawFd; 1]);
        let message = recvmsg::<()>(self.exit, &mut parts, Some(&mut space), MsgFlags::empty())
            .expect("receive a file");
        let received = message
            .cmsgs()
            .expect("whole control data")
            .find_map(|part| match part {
                ControlMessageOwned::ScmRights(files) => files.first().copied(),
                _ => None,
            });
        Device(received.expect("a file came"))
    }

    /// Closes both ends in the calling process; files under way are dropped
    /// when the last process did so.
    pub(crate) fn close(self) {
        for end in [self.entry, self.exit] {
            nix::unistd::close(end).expect("close a lane");
        }
    }
}
