// SPDX-License-Identifier: MIT OR Apache-2.0
//! The servers that tests start, and HTTP with them. All of it on loopback, and ended with the test.
//!
//! The end-to-end tests, which scrape the loaded module, use this file too.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that a server may take to send something.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest time from the start of Prometheus to its first scrape.
const FIRST_SCRAPE: Duration = Duration::from_secs(60);

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
    /// `nds serve` with these arguments.
    pub(crate) fn exporter(nds: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(nds);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        let mut child = start(command.stdout(Stdio::piped()));
        let said = child.stdout.take().expect("a pipe");
        Self::listening(child, said, |line| {
            line.strip_prefix("serving http://")?
                .strip_suffix("/metrics")
        })
    }

    /// Prometheus, with all its files in the directory, which scrapes that address each second.
    pub(crate) fn prometheus(directory: &Path, target: SocketAddr) -> Self {
        let configuration = configuration(directory, target);
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

    /// What Prometheus says to an expression with one sample; `None` as long as there is no sample.
    pub(crate) fn query(&self, expression: &str) -> Option<u64> {
        let (status, body) = self.get(&format!("/api/v1/query?query={expression}"));
        let answer: serde_json::Value = serde_json::from_str(&body).ok()?;
        let value = answer["data"]["result"][0]["value"][1].as_str()?;
        assert_eq!(status, 200, "{answer}");
        Some(value.parse().expect("a whole number"))
    }

    /// As [`Self::query`], but waits for the first scrape.
    pub(crate) fn query_scraped(&self, expression: &str) -> u64 {
        let started = Instant::now();
        loop {
            if let Some(value) = self.query(expression) {
                return value;
            }
            assert!(started.elapsed() < FIRST_SCRAPE, "nothing was scraped");
            thread::sleep(Duration::from_millis(200));
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }
}

pub(crate) fn start(command: &mut Command) -> Child {
    let started = command.spawn();
    started.unwrap_or_else(|error| {
        let program = command.get_program();
        panic!("cannot start {program:?}: {error}; `scripts/deps test` installs what tests need")
    })
}

/// The configuration of a server that scrapes this address each second.
fn configuration(directory: &Path, target: SocketAddr) -> PathBuf {
    let path = directory.join("prometheus.yml");
    let text = format!(
        "global:\n  scrape_interval: 1s\n\
         scrape_configs:\n  - job_name: nds\n    static_configs:\n      - targets: ['{target}']\n"
    );
    fs::write(&path, text).expect("written");
    path
}
