// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is answered: the pages, and the form of a response.

use super::request::Request;
use crate::failure::Failure;

/// Where the text is.
pub(super) const METRICS: &str = "/metrics";

/// The type of the text, exposition format 0.0.4.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

const START_PAGE: &str =
    "<!doctype html><title>nds</title><p><a href=\"/metrics\">Metrics of the Neuron DataStore</a>\n";

/// A response before it is bytes.
struct Page {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

/// The bytes of the response. The text is made only for a request that gets it.
pub(super) fn respond(
    request: &Request,
    text: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Vec<u8> {
    match request {
        Request::Get(path) => page(path, text).bytes(true),
        Request::Head(path) => page(path, text).bytes(false),
        Request::OtherMethod => refusal("405 Method Not Allowed").bytes(true),
        Request::Malformed => refusal("400 Bad Request").bytes(true),
        Request::TooLong => refusal("431 Request Header Fields Too Large").bytes(true),
    }
}

fn page(path: &str, text: impl FnOnce() -> Result<Vec<u8>, Failure>) -> Page {
    let (content_type, body) = match path {
        METRICS => match text() {
            Ok(text) => (EXPOSITION, text),
            Err(failure) => return unavailable(&failure),
        },
        "/" => (HTML, START_PAGE.into()),
        _ => return refusal("404 Not Found"),
    };
    Page {
        status: "200 OK",
        content_type,
        body,
    }
}

fn refusal(status: &'static str) -> Page {
    Page {
        status,
        content_type: PLAIN,
        body: format!("{status}\n").into(),
    }
}

/// Says why on standard error too, since Prometheus shows the status only.
fn unavailable(failure: &Failure) -> Page {
    crate::report(failure);
    Page {
        status: "503 Service Unavailable",
        content_type: PLAIN,
        body: format!("{failure}\n").into(),
    }
}

impl Page {
    fn bytes(self, with_body: bool) -> Vec<u8> {
        let Self {
            status,
            content_type,
            body,
        } = self;
        let length = body.len();
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
             Allow: GET, HEAD\r\nConnection: close\r\n\r\n"
        )
        .into_bytes();
        if with_body {
            bytes.extend(body);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(request: &Request) -> String {
        let text = || Ok(b"metric 1\n".to_vec());
        String::from_utf8(respond(request, text)).expect("UTF-8")
    }

    fn get(path: &str) -> Request {
        Request::Get(path.to_owned())
    }

    #[test]
    fn the_text_is_at_its_path_with_its_type() {
        let expected = "HTTP/1.1 200 OK\r\n\
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
            Content-Length: 9\r\nAllow: GET, HEAD\r\nConnection: close\r\n\r\n";
        let with_body = format!("{expected}metric 1\n");
        assert_eq!(response(&get("/metrics")), with_body);
        assert_eq!(response(&Request::Head("/metrics".to_owned())), expected);
    }

    #[test]
    fn the_start_page_leads_to_the_text() {
        let page = response(&get("/"));
        assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
        assert!(page.contains(&format!("href=\"{METRICS}\"")), "{page}");
    }

    #[test]
    fn other_requests_are_refused_without_making_the_text() {
        for (request, status) in [
            (get("/metrics/"), "404"),
            (get("*"), "404"),
            (Request::OtherMethod, "405"),
            (Request::Malformed, "400"),
            (Request::TooLong, "431"),
        ] {
            let text = || panic!("{request:?} does not get it");
            let response = respond(&request, text);
            let start = format!("HTTP/1.1 {status} ");
            assert!(response.starts_with(start.as_bytes()), "{request:?}");
        }
    }

    #[test]
    fn a_text_that_cannot_be_made_is_no_success() {
        let failure = || Err(Failure::Disagreement("the device is gone".to_owned()));
        let response = String::from_utf8(respond(&get("/metrics"), failure)).expect("UTF-8");
        assert!(response.starts_with("HTTP/1.1 503 "), "{response}");
        assert!(
            response.ends_with("\r\n\r\nthe device is gone\n"),
            "{response}"
        );
    }
}
