// SPDX-License-Identifier: MIT OR Apache-2.0
//! One connection: bounded in time and in what is read from it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::request::{self, Request};

/// Time from a connection's acceptance to the last byte of the response.
const TIME: Duration = Duration::from_secs(5);

/// Bytes of the longest request head that is read.
const HEAD_MAX: usize = 8 << 10;

/// A stream that ends at a deadline, in however small pieces its peer sends and takes.
pub(super) struct Connection {
    stream: TcpStream,
    deadline: Instant,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            deadline: Instant::now() + TIME,
        }
    }

    /// Reads a request up to the end of its head.
    pub(super) fn request(&mut self) -> io::Result<Request> {
        let mut head = [0; HEAD_MAX];
        let mut length = 0;
        while length < HEAD_MAX {
            match self.read(&mut head[length..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => length += count,
            }
            if let Some(request) = request::parse(&head[..length]) {
                return Ok(request);
            }
        }
        Ok(Request::TooLong)
    }

    fn time_left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(Some(left))
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.time_left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.time_left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// Both ends of a connection.
    fn connected() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let peer = TcpStream::connect(listener.local_addr().expect("its address")).expect("a peer");
        (listener.accept().expect("a connection").0, peer)
    }

    #[test]
    fn a_request_may_come_byte_by_byte() {
        let (stream, mut peer) = connected();
        let sender = thread::spawn(move || {
            for byte in b"GET /x HTTP/1.1\r\n\r\n" {
                peer.write_all(&[*byte]).expect("sent");
            }
            peer
        });
        let request = Connection::new(stream).request().expect("a request");
        assert_eq!(request, Request::Get("/x".to_owned()));
        sender.join().expect("the sender");
    }

    #[test]
    fn a_head_that_does_not_end_is_read_up_to_its_bound() {
        let (stream, mut peer) = connected();
        let endless = format!("GET /{} HTTP/1.1\r\n", "x".repeat(2 * HEAD_MAX));
        peer.write_all(endless.as_bytes()).expect("sent");
        let request = Connection::new(stream).request().expect("an answer");
        assert_eq!(request, Request::TooLong);
    }

    #[test]
    fn a_peer_that_goes_on_after_the_deadline_is_not_waited_for() {
        let (stream, mut peer) = connected();
        peer.write_all(b"GET /").expect("sent");
        let started = Instant::now();
        let mut connection = Connection::new(stream);
        connection.deadline = started + Duration::from_millis(50);
        let error = connection.request().expect_err("no whole request");
        assert!(
            [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock].contains(&error.kind()),
            "{error}"
        );
        let error = connection.write_all(b"late").expect_err("the deadline");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_peer_that_is_gone_ends_the_connection() {
        let (stream, peer) = connected();
        drop(peer);
        let error = Connection::new(stream).request().expect_err("no request");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
