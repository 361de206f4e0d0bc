// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a command failed, and what the user can do about it.

use std::io;
use std::net::SocketAddr;

/// The end of a command that did not succeed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The library's reason.
    #[error(transparent)]
    Nds(#[from] nds::Error),
    /// Writing the output failed. A closed pipe is not a failure: the reader has seen enough.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// JSON could not be written.
    #[error("cannot write the output: {0}")]
    Json(#[from] serde_json::Error),
    /// The address cannot be used.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// What was asked for.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// Something else that the system refused.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// Sums or records that must agree do not.
    #[error("{0}")]
    Disagreement(String),
}

impl Failure {
    /// Whether whoever read the output has closed it.
    pub(crate) fn is_closed_output(&self) -> bool {
        let kind = match self {
            Self::Output(error) => Some(error.kind()),
            Self::Json(error) => error.io_error_kind(),
            _ => None,
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    }

    /// What to do about it, if there is something.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        let Self::Nds(error) = self else { return None };
        match error {
            nds::Error::NoDevice { .. } => {
                Some("load the module (modprobe neuron_nds), or try `nds demo`, which needs none")
            }
            nds::Error::Open { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied => {
                    Some("see who may open it with `ls -l`, and join that group, or use sudo")
                }
                io::ErrorKind::NotFound => Some("`nds list` shows the devices that exist"),
                _ => None,
            },
            nds::Error::NoSuchProducer { .. } => {
                Some("`nds list` shows the processes that publish")
            }
            nds::Error::DeviceFull { .. } => {
                Some("a device serves 16 processes; `nds list` shows them")
            }
            nds::Error::Unsupported {
                request: "report", ..
            } => Some("only the neuron_nds module keeps totals, the stock driver does not"),
            nds::Error::NotPermitted { .. } => {
                Some("the module's attach_policy decides who may look at which process")
            }
            _ => None,
        }
    }
}
