// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked, from the head of an HTTP/1 request. Its headers and its body do not matter.

use httparse::{Error, Status};

/// Header lines of the longest head that is understood.
const HEADERS_MAX: usize = 64;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// This path, without a query.
    Get(String),
    /// The same without the body of the response.
    Head(String),
    OtherMethod,
    Malformed,
    TooLong,
}

/// The request that begins with these bytes; `None` if its head goes on.
pub(super) fn parse(bytes: &[u8]) -> Option<Request> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut head = httparse::Request::new(&mut headers);
    Some(match head.parse(bytes) {
        Ok(Status::Partial) => return None,
        Ok(Status::Complete(_)) => requested(&head),
        Err(Error::TooManyHeaders) => Request::TooLong,
        Err(_) => Request::Malformed,
    })
}

fn requested(head: &httparse::Request<'_, '_>) -> Request {
    let target = head.path.unwrap_or_default();
    let path = target.split('?').next().unwrap_or(target).to_owned();
    match head.method {
        Some("GET") => Request::Get(path),
        Some("HEAD") => Request::Head(path),
        _ => Request::OtherMethod,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(path: &str) -> Option<Request> {
        Some(Request::Get(path.to_owned()))
    }

    #[test]
    fn a_path_has_no_query() {
        let head = b"GET /metrics?a=b?c HTTP/1.1\r\nHost: x\r\n\r\n";
        assert_eq!(parse(head), get("/metrics"));
        assert_eq!(parse(b"GET / HTTP/1.0\r\n\r\n"), get("/"));
        let head = b"HEAD /metrics HTTP/1.1\r\n\r\n";
        assert_eq!(parse(head), Some(Request::Head("/metrics".to_owned())));
    }

    #[test]
    fn a_head_that_goes_on_is_no_request_yet() {
        let head = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
        for end in 0..head.len() {
            assert_eq!(parse(&head[..end]), None, "{end} bytes");
        }
    }

    #[test]
    fn what_is_not_http_1_is_malformed() {
        for bytes in [
            b"\x16\x03\x01\x02\x00" as &[u8],
            b"GET\r\n\r\n",
            b"GET / HTTP/2.0\r\n\r\n",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        ] {
            assert_eq!(parse(bytes), Some(Request::Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn other_methods_and_too_many_headers_are_told_apart() {
        let head = b"POST /metrics HTTP/1.1\r\n\r\n";
        assert_eq!(parse(head), Some(Request::OtherMethod));
        let head = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(HEADERS_MAX));
        assert_eq!(parse(head.as_bytes()), get("/"));
        let head = format!("GET / HTTP/1.1\r\n{}", "A: b\r\n".repeat(HEADERS_MAX + 1));
        assert_eq!(parse(head.as_bytes()), Some(Request::TooLong));
    }
}
