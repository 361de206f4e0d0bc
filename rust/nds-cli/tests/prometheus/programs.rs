// SPDX-License-Identifier: MIT OR Apache-2.0
//! The programs that the tests start, and HTTP with them. All of it on loopback, and ended with the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Longest time that a server may take to send something.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that ends with the value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// `nds serve`, on an emulated device with known sums.
    pub(crate) fn exporter() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nds"));
        command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]);
        let mut child = start(command.stdout(Stdio::piped()));
        let said = child.stdout.take().expect("a pipe");
        Self::listening(child, said, |line| {
            line.strip_prefix("serving http://")?
                .strip_suffix("/metrics")
        })
    }

    /// Prometheus, with all its files in the directory.
    pub(crate) fn prometheus(directory: &Path, configuration: &Path) -> Self {
        let mut command = Command::new("prometheus");
        command
            .arg("--web.listen-address=127.0.0.1:0")
            .arg(format!("--config.file={}", configuration.display()))
            .arg(format!("--storage.tsdb.path={}", directory.display()))
            .current_dir(directory);
        let mut child = start(command.stderr(Stdio::piped()));
        let said = child.stderr.take().expect("a pipe");
        Self::listening(child, said, |line| {
            let (_, rest) = line.split_once("\"Listening on\"")?;
            rest.split_once("address=")?.1.split(' ').next()
        })
    }

    /// Waits for the line that says where it listens; what it says later is read by nobody, but read.
    fn listening(
        child: Child,
        said: impl Read + Send + 'static,
        address: impl Fn(&str) -> Option<&str>,
    ) -> Self {
        let mut server = Self {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
        };
        let mut lines = BufReader::new(said).lines().map_while(Result::ok);
        let mut before = Vec::new();
        let found = lines.by_ref().find_map(|line| {
            let found = address(&line).map(str::to_owned);
            before.push(line);
            found
        });
        let found = found.unwrap_or_else(|| panic!("it ended: {}", before.join("\n")));
        server.address = found.parse().expect("an address");
        thread::spawn(|| lines.for_each(drop));
        server
    }

    /// Status and body of a page.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        let (head, body) = response.split_once("\r\n\r\n").expect("a whole head");
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }
}

/// What `promtool check metrics` says to a text.
pub(crate) fn check_metrics(text: &[u8]) -> Output {
    let mut command = Command::new("promtool");
    command.args(["check", "metrics"]).stdin(Stdio::piped());
    let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut input = child.stdin.take().expect("a pipe");
    // One that has seen enough does not read the rest; its status says what it thinks.
    let _ = input.write_all(text);
    drop(input);
    child.wait_with_output().expect("its end")
}

fn start(command: &mut Command) -> Child {
    let started = command.spawn();
    started.unwrap_or_else(|error| {
        let program = command.get_program();
        panic!("cannot start {program:?}: {error}; `scripts/deps test` installs what tests need")
    })
}
