// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds serve`: answers Prometheus over HTTP, with a fixed number of threads and one request a
//! connection.
//!
//! | Module | Subject |
//! |---|---|
//! | [`args`] | the options |
//! | [`source`] | the text, made anew for each scrape |
//! | [`request`] | what is asked |
//! | [`response`] | what is answered |
//! | [`connection`] | how long a connection may take and how much it may say |

mod args;
mod connection;
mod request;
mod response;
mod source;

pub(crate) use args::Serve;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use connection::Connection;
use response::{respond, METRICS};
use source::Source;

/// Connections that are answered at the same time; others wait in the kernel's queue.
const WORKERS: usize = 4;

/// Pause after the kernel could not give a connection, as when no file descriptor is left.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Serve, out: &mut impl Write) -> Result<(), Failure> {
    let source = Source::new(args)?;
    // What cannot work is said now, not at the first scrape.
    source.text()?;
    let (listener, address) = listen(args.listen)?;
    writeln!(out, "serving http://{address}{METRICS}")?;
    out.flush()?;
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| work(&listener, &source));
        }
    });
    Ok(())
}

/// The listener, and where it listens, which says the port if any would do.
fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Failure> {
    let listener = TcpListener::bind(address);
    listener
        .and_then(|listener| listener.local_addr().map(|at| (listener, at)))
        .map_err(|source| Failure::Listen { address, source })
}

/// Serves one connection after another, until the program is ended.
fn work(listener: &TcpListener, source: &Source<'_>) {
    loop {
        match listener.accept() {
            // A peer that is gone or too slow gets no answer, which is nobody else's loss.
            Ok((stream, _)) => drop(serve(stream, source)),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

fn serve(stream: TcpStream, source: &Source<'_>) -> io::Result<()> {
    let mut connection = Connection::new(stream);
    let request = connection.request()?;
    connection.write_all(&respond(&request, || source.text()))
}
