// SPDX-License-Identifier: MIT OR Apache-2.0

//! Passing an open file to another process over a socket (SCM_RIGHTS).
//!
//! A [`Lane`] is made by the test before it forks the actors, so both ends are
//! the same descriptor numbers everywhere.

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{IntoRawFd, RawFd};

use nix::errno::Errno;
use nix::sys::socket::{
    recvmsg, sendmsg, socketpair, AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags,
    SockFlag, SockType,
};

use super::device::{Device, Result};

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
        self.send_with(device, MsgFlags::empty())
            .expect("send a file");
    }

    /// Sends unless the lane is full.
    pub(crate) fn try_send(self, device: Device) {
        let sent = self.send_with(device, MsgFlags::MSG_DONTWAIT);
        let full = [Err(Errno::EAGAIN), Err(Errno::ETOOMANYREFS)];
        assert!(
            sent.is_ok() || full.contains(&sent),
            "send a file: {sent:?}"
        );
    }

    fn send_with(self, device: Device, flags: MsgFlags) -> Result<()> {
        let files = [device.0];
        let rights = [ControlMessage::ScmRights(&files)];
        sendmsg::<()>(self.entry, &[IoSlice::new(b"f")], &rights, flags, None).map(drop)
    }

    /// Receives an open file as a new descriptor of the caller.
    pub(crate) fn receive(self) -> Device {
        self.receive_with(MsgFlags::empty())
            .expect("receive a file")
    }

    /// Receives a file if there is one.
    pub(crate) fn try_receive(self) -> Option<Device> {
        self.receive_with(MsgFlags::MSG_DONTWAIT).ok()
    }

    fn receive_with(self, flags: MsgFlags) -> Result<Device> {
        let mut byte = [0];
        let mut parts = [IoSliceMut::new(&mut byte)];
        let mut space = nix::cmsg_space!([RawFd; 1]);
        let message = recvmsg::<()>(self.exit, &mut parts, Some(&mut space), flags)?;
        let received = message.cmsgs()?.find_map(|part| match part {
            ControlMessageOwned::ScmRights(files) => files.first().copied(),
            _ => None,
        });
        Ok(Device(received.expect("a file came")))
    }

    /// Closes both ends in the calling process; files under way are dropped
    /// when the last process did so.
    pub(crate) fn close(self) {
        for end in [self.entry, self.exit] {
            nix::unistd::close(end).expect("close a lane");
        }
    }
}
