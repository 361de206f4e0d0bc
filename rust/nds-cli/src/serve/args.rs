// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `nds serve`.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use clap::Args;

use crate::args::Devices;

/// Only this machine can connect unless the user says otherwise: the text names processes.
const DEFAULT_ADDRESS: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 9637));

#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Address and port to listen at; with port 0, any free one.
    #[arg(long, short, value_name = "ADDRESS", default_value_t = DEFAULT_ADDRESS)]
    pub(crate) listen: SocketAddr,
    /// Serve an emulated device instead, on which two made-up processes, one of which is gone, have
    /// executed 1000 times on each of 2 cores.
    #[arg(long)]
    pub(crate) demo: bool,
}
