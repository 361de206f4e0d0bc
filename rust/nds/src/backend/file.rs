// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device file: the system calls, and the meaning of their errors.
//!
//! Works on `/dev/neuron_ndsN` and on the `/dev/neuronN` of the stock C driver: both have the same
//! requests for slabs (`include/uapi/neuron_nds.h`). Only the module has reports.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use nds_core::Snapshot;
use nds_layout::ioctl::{self, NeuronIoctlNds};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::ioctl::{opcode, Opcode, Updater};

use super::{map_shared, unmap, Access, Backend, DeviceKey, Handout, MappedRange, OWN_SLAB};
use crate::{Error, Report, Result};

// The type of a command word depends on how system calls are made.
const ACQUIRE: Opcode = ioctl::ACQUIRE as Opcode;
const RELEASE: Opcode = ioctl::RELEASE as Opcode;

/// The report request of the `neuron_nds` module (`include/uapi/neuron_nds_report.h`); the size in
/// the word is that of the report's head, which every edition has.
const REPORT: Opcode = opcode::read_write::<[u32; 2]>(0xd5, 1);

const _: () = assert!(REPORT == 0xc008_d501);

/// An open device file.
#[derive(Debug)]
pub(crate) struct DeviceFile {
    path: PathBuf,
    fd: OwnedFd,
    device_number: u64,
    access: Access,
}

impl DeviceFile {
    /// Opens a character device with the given access.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self> {
        let flags = match access {
            Access::ReadOnly => OFlags::RDONLY,
            Access::ReadWrite => OFlags::RDWR,
        };
        let open_error = |errno: Errno| Error::Open {
            path: path.to_owned(),
            source: errno.into(),
        };
        let fd =
            rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::empty()).map_err(open_error)?;
        let stat = rustix::fs::fstat(&fd).map_err(open_error)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::CharacterDevice {
            return Err(Error::NotADevice {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            fd,
            device_number: stat.st_rdev,
            access,
        })
    }

    fn request<const WORD: Opcode>(&self, argument: &mut NeuronIoctlNds) -> Result<(), Errno> {
        // SAFETY: both words take a pointer to this argument, which the driver reads and may
        // write within its 24 bytes.
        unsafe { rustix::ioctl::ioctl(&self.fd, Updater::<WORD, NeuronIoctlNds>::new(argument)) }
    }

    fn acquire_error(&self, pid: i32, errno: Errno) -> Error {
        let device = self.name();
        match errno {
            Errno::NOENT => Error::NoSuchProducer { device, pid },
            Errno::NOMEM => Error::DeviceFull { device },
            Errno::ACCESS | Errno::PERM => Error::NotPermitted { device, pid },
            Errno::NOTTY | Errno::INVAL | Errno::NOSYS => Error::Unsupported {
                device,
                request: "acquire",
            },
            _ => self.system_error("acquire", errno),
        }
    }

    fn system_error(&self, request: &'static str, errno: Errno) -> Error {
        Error::System {
            device: self.name(),
            request,
            source: io::Error::from(errno),
        }
    }
}

impl Backend for DeviceFile {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn key(&self) -> DeviceKey {
        DeviceKey::File(self.device_number)
    }

    fn writable(&self) -> bool {
        self.access == Access::ReadWrite
    }

    fn acquire(&self, pid: i32) -> Result<Handout> {
        let mut argument = NeuronIoctlNds {
            pid,
            ..NeuronIoctlNds::default()
        };
        self.request::<ACQUIRE>(&mut argument)
            .map_err(|errno| self.acquire_error(pid, errno))?;
        Ok(Handout {
            cookie: argument.mmap_offset,
            size: argument.size as usize,
        })
    }

    fn map(&self, handout: Handout, access: Access) -> Result<MappedRange> {
        map_shared(self.fd.as_fd(), handout.cookie, handout.size, access)
            .map_err(|errno| self.system_error("mmap", errno))
    }

    unsafe fn unmap(&self, range: MappedRange) {
        // SAFETY: by the contract of this function.
        unsafe { unmap(range) };
    }

    fn release_own(&self) -> Result<()> {
        let mut argument = NeuronIoctlNds {
            pid: OWN_SLAB,
            ..NeuronIoctlNds::default()
        };
        self.request::<RELEASE>(&mut argument)
            .map_err(|errno| self.system_error("release", errno))
    }

    fn report(&self) -> Result<Report> {
        let mut snapshot = Box::new(Snapshot::new());
        // SAFETY: the word takes a pointer to a report that says in its first field how many bytes
        // may be written; any bytes are a valid report.
        let asked = unsafe {
            rustix::ioctl::ioctl(&self.fd, Updater::<REPORT, Snapshot>::new(&mut snapshot))
        };
        match asked {
            Ok(()) => Ok(Report::new(snapshot)),
            // What drivers answer to a word that they do not know.
            Err(Errno::NOTTY | Errno::INVAL | Errno::NOSYS) => Err(Error::Unsupported {
                device: self.name(),
                request: "report",
            }),
            Err(errno) => Err(self.system_error("report", errno)),
        }
    }
}
