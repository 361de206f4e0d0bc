#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthetic .neff files, good and malformed, with an index of what an inspector must say.

    make_neff_files.py DIR            write the files and DIR/index.json
    make_neff_files.py --verify DIR   run the small reference inspector below over DIR
                                      and compare it with DIR/index.json
    make_neff_files.py --list         names and one-line descriptions only

Standard library only.  The expectations are written by hand next to each file;
the reference inspector is a second, independent path to the same answers.  The
files are made of invented content and are not to be committed.
"""

import argparse
import hashlib
import json
import os
import re
import struct
import sys
import zlib

sys.dont_write_bytecode = True
import make_neff_vectors as V  # noqa: E402  (same folder)

INDEX_FORMAT = "neff-files-index/1"
JSON_MEMBER_LIMIT = 64 << 20
DEFAULT_MAX_INFLATED = 4 << 30
EXT_LIMIT = 64 << 10

SEVERITY = dict(V.SEVERITY)
SEVERITY.update({
    "duplicate-member": "warning",
    "hash-mismatch": "error",
    "json-invalid": "error",
    "kelf-target-unknown": "warning",
    "neff-json-missing": "error",
    "special-member": "warning",
    "tar-no-end": "warning",
    "trailing-data": "warning",
    "unsafe-member-name": "error",
})
FATAL = ["short-header", "bad-pkg-version", "bad-header-size", "data-size-exceeds-file", "payload-empty",
         "payload-not-archive", "gzip-truncated", "gzip-corrupt", "inflated-too-large", "tar-truncated",
         "tar-bad-checksum", "tar-bad-size", "tar-bad-extension", "member-too-large"]


def F(code, where, what=None):
    return {"code": code, "severity": SEVERITY[code], "where": where,
            "what": None if what is None else str(what)}


# --------------------------------------------------------------------------
# Tar and gzip writers
# --------------------------------------------------------------------------

def tar_block(name, size, typeflag=b"0", gnu=False, size_field=None, big_ids=False, link=b"", prefix=b""):
    raw = name if isinstance(name, bytes) else name.encode("utf-8")
    if len(raw) > 100:
        raise ValueError("name too long for a bare header")
    h = bytearray(512)
    h[0:len(raw)] = raw
    h[100:108] = b"0000644\0"
    ids = b"\x80" + (626188407).to_bytes(7, "big") if big_ids else b"0000000\0"
    h[108:116] = ids
    h[116:124] = ids
    h[124:136] = size_field if size_field is not None else b"%011o\0" % size
    h[136:148] = b"00000000000\0"
    h[156:157] = typeflag
    h[157:157 + len(link)] = link
    h[257:265] = b"ustar  \0" if gnu else b"ustar\x0000"
    h[265:271] = b"nobody"
    h[297:303] = b"nobody"
    h[345:345 + len(prefix)] = prefix
    h[148:156] = b"        "
    h[148:156] = b"%06o\0 " % sum(h)
    return bytes(h)


def pad512(data):
    return data + b"\0" * (-len(data) % 512)


def pax_record(key, value):
    body = b" " + key + b"=" + value + b"\n"
    n = len(body) + 1
    while len(str(n)) + len(body) != n:
        n = len(str(n)) + len(body)
    return str(n).encode() + body


def pax_header(records, name="PaxHeader/entry", raw=None):
    data = raw if raw is not None else b"".join(pax_record(k, v) for k, v in records)
    return tar_block(name, len(data), b"x") + pad512(data)


def gnu_longname(name):
    data = name.encode() + b"\0"
    return tar_block("././@LongLink", len(data), b"L", gnu=True) + pad512(data)


class Tar:
    def __init__(self, pax=True, gnu=False, big_ids=False):
        self.parts, self.pax, self.gnu, self.big_ids = [], pax, gnu, big_ids

    def raw(self, data):
        self.parts.append(data)
        return self

    def add(self, name, data=b"", typeflag=b"0", size_field=None, link=b""):
        raw = name if isinstance(name, bytes) else name.encode("utf-8")
        if self.pax:
            rec = [(b"SCHILY.dev", b"1"), (b"SCHILY.ino", b"%d" % (len(self.parts) + 1)),
                   (b"SCHILY.nlink", b"1")]
            if len(raw) > 100:
                rec.append((b"path", raw))
            self.parts.append(pax_header(rec))
        elif self.gnu and len(raw) > 100:
            self.parts.append(gnu_longname(raw.decode()))
        self.parts.append(tar_block(raw[:100], len(data), typeflag, self.gnu, size_field, self.big_ids, link))
        self.parts.append(pad512(data))
        return self

    def end(self, zero_blocks=2):
        return b"".join(self.parts) + b"\0" * (512 * zero_blocks)


def gz(data, level=1, extra=False, stored=False, bad_crc=False):
    flg, opt = 0, b""
    if extra:
        flg = 0x04 | 0x08 | 0x10 | 0x02
        opt = struct.pack("<H", 6) + b"NE\x02\x00ok" + b"inner.tar\0" + b"a comment\0"
    head = b"\x1f\x8b\x08" + bytes([flg]) + b"\0\0\0\0" + b"\0\x03" + opt
    if extra:
        head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    if stored:
        body, i = b"", 0
        while True:
            chunk = data[i:i + 65535]
            i += len(chunk)
            last = i >= len(data)
            body += struct.pack("<BHH", 1 if last else 0, len(chunk), len(chunk) ^ 0xFFFF) + chunk
            if last:
                break
    else:
        c = zlib.compressobj(level, zlib.DEFLATED, -15)
        body = c.compress(data) + c.flush()
    crc = zlib.crc32(data) ^ (1 if bad_crc else 0)
    return head + body + struct.pack("<II", crc & 0xFFFFFFFF, len(data) & 0xFFFFFFFF)


# --------------------------------------------------------------------------
# Content
# --------------------------------------------------------------------------

def js(obj):
    return json.dumps(obj, indent=1).encode()


def def_json(features=(), **more):
    d = {"name": "sg00", "version": "0.6", "var": {}, "dma_queue": {}}
    if features is not V.MISSING:
        d["neff_features"] = features if not isinstance(features, tuple) else list(features)
    d["runtime_event_count"] = 0
    d["runtime_semaphore_count"] = 0
    d["runtime_statebuffer_reservation"] = []
    d.update(more)
    return js(d)


def neff_json(kelf="kelf-a.json"):
    return js({"nodes": [{"op": "null", "name": "input0", "inputs": []},
                         {"op": "tvm_op", "name": "sg00", "inputs": [[0, 0, 0]],
                          "attrs": {"func_name": "__kelf", "kelf": kelf}}],
               "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [0, 1, 2], "attrs": {}})


def kelf_json(target="sunda", graphs=("sg00",)):
    return js({"version": "0.5", "target": target,
               "graphs": [{"name": g, "definition": g + "/def.json"} for g in graphs]})


INFO = js({"name": "synthetic", "version": {"major": 1, "minor": 1}, "engines": [True, True, False, False, False]})


def base(tar, features=(), target="sunda", cores=("sg00",), prefix=""):
    tar.add(prefix + "info.json", INFO)
    tar.add(prefix + "kelf-a.json", kelf_json(target, cores))
    tar.add(prefix + "neff.json", neff_json())
    for core in cores:
        tar.add(prefix + core + "/def.json", def_json(features))
        tar.add(prefix + core + "/pe.bin", b"\x00" * 64)
    return tar


BASE = ["info.json", "kelf-a.json", "neff.json", "sg00/def.json", "sg00/pe.bin"]


def neff(payload, layout="runtime", mask=0, schema=1, pkg=2, good_hash=True, data_size=None,
         header_size=1024, vnc_size=1, name="synthetic", tail=b"0" * 16):
    if layout == "page":
        return V.encode_page(version=pkg, header_size=header_size, feature_flags=mask, schema_min=schema,
                             filename=name) + payload
    if pkg == 1:
        digest = hashlib.sha256(payload).digest()
    else:
        digest = hashlib.md5(payload).digest() + tail
    if not good_hash:
        digest = bytes([digest[0] ^ 0xFF]) + digest[1:]
    return V.encode_runtime(pkg_version=pkg, header_size=header_size,
                            data_size=len(payload) if data_size is None else data_size,
                            version_major=schema, build="synthetic", unused_0=0 if pkg == 1 else 1,
                            hash_=digest, name=name, feature_bits=mask, vnc_size=vnc_size,
                            mirror=layout == "dual") + payload


FULL = [n for _b, n in V.NAMED]
BC = "neff_feature_indirect_memcpy_bound_check"
CO = "neff_feature_custom_ops"
HF = "neff_has_functions"
VN = "neff_feature_vnc"


def make():
    """Yields (file name, bytes, about, hand-written expectation)."""
    out = []

    def add(fname, data, about, layout="runtime", fatal=None, findings=(), mask=0, schema=1, cores=None,
            members=BASE, compressed=False, arch=20, options=None, tail=None, hash_="ok"):
        e = {"layout": layout, "fatal": fatal, "findings": V.sort_findings(list(findings)),
             "mask": None if mask is None else V.hx(mask),
             "schema_min": None if schema is None else V.hx(schema),
             "cores": cores if cores is not None else {"sg00/def.json": []},
             "members": members, "compressed": compressed, "arch": arch,
             "hash": hash_, "hash_tail": tail}
        out.append((fname, data, about, e, options or {}))

    def broken(fname, data, about, fatal, **kw):
        kw.setdefault("cores", {})
        kw.setdefault("members", [])
        kw.setdefault("arch", None)
        add(fname, data, about, fatal=fatal, **kw)

    plain = base(Tar()).end()
    Z = "ascii-zero"

    # ---- good -----------------------------------------------------------
    add("g01-pkg1-plain.neff", neff(plain, pkg=1), "legacy packaging: plain tar, SHA-256")
    t = base(Tar(), [BC]).end()
    add("g02-pkg2-gzip.neff", neff(gz(t), mask=0x100, schema=2),
        "current packaging: gzip, MD5; the mask and version of the public reports", mask=0x100, schema=2,
        cores={"sg00/def.json": [BC]}, compressed=True, tail=Z)
    add("g03-pkg2-plain.neff", neff(t, mask=0x100, schema=2),
        "pkg_version 2 with an uncompressed tar: the payload decides, not pkg_version", mask=0x100, schema=2,
        cores={"sg00/def.json": [BC]}, tail=Z)
    add("g04-page-gzip.neff", neff(gz(t), "page", mask=0x100, schema=2),
        "page layout: mask at +192, schema at +200, no data size, no hash", layout="page", mask=0x100, schema=2,
        cores={"sg00/def.json": [BC]}, compressed=True, hash_="none")
    add("g05-page-plain.neff", neff(t, "page", mask=0x100, schema=2), "page layout over a plain tar",
        layout="page", mask=0x100, schema=2, cores={"sg00/def.json": [BC]}, hash_="none")
    add("g06-dual-gzip.neff", neff(gz(t), "dual", mask=0x100, schema=2, tail=b""),
        "runtime layout with the page mirror in the unused half of the hash field", mask=0x100, schema=2,
        cores={"sg00/def.json": [BC]}, compressed=True, tail="mirror")
    t2 = base(Tar(), [BC, VN], target="cayman", cores=("sg00", "sg01")).end()
    two = {"sg00/def.json": [BC, VN], "sg01/def.json": [BC, VN]}
    m2 = ["info.json", "kelf-a.json", "neff.json", "sg00/def.json", "sg00/pe.bin", "sg01/def.json", "sg01/pe.bin"]
    add("g07-two-cores.neff", neff(gz(t2), mask=0xD00, schema=2, vnc_size=2), "two virtual cores, generation 3",
        mask=0xD00, schema=2, cores=two, members=m2, compressed=True, arch=30, tail=Z)
    deep = "nc00/" + "d" * 120 + "/sg00/def.json"
    t = Tar().add("kelf-a.json", kelf_json()).add("neff.json", neff_json()).add(deep, def_json([CO]))
    add("g08-pax-long-name.neff", neff(t.end(), mask=0x4, schema=2), "member name only in a PAX path record",
        mask=0x4, schema=2, cores={deep: [CO]}, members=["kelf-a.json", "neff.json", deep], tail=Z)
    t = Tar(pax=False, gnu=True, big_ids=True).add("kelf-a.json", kelf_json()).add("neff.json", neff_json())
    t.add(deep, def_json([CO]))
    add("g09-gnu-dialect.neff", neff(gz(t.end()), mask=0x4, schema=2),
        "GNU tar: base-256 ids, long name record, trailing-space magic", mask=0x4, schema=2, cores={deep: [CO]},
        members=["kelf-a.json", "neff.json", deep], compressed=True, tail=Z)
    t = Tar(pax=False).add("./", typeflag=b"5").add("./sg00/", typeflag=b"5")
    base(t, [HF], prefix="./").add("./sg00/wavegraph-bin.json", b"{}")
    add("g10-dot-slash.neff", neff(t.end(), mask=0x20, schema=2),
        "leading ./ is stripped, directories and *wavegraph-bin.json are skipped", mask=0x20, schema=2,
        cores={"sg00/def.json": [HF]}, tail=Z)
    add("g11-no-features.neff", neff(gz(plain)), "no features: mask 0, schema stays 1", compressed=True, tail=Z)
    add("g12-no-features-schema-2.neff", neff(gz(plain), schema=2), "like the published sample: schema 2, mask 0",
        schema=2, findings=[F("schema-without-features", "header", 2)], compressed=True, tail=Z)
    t = base(Tar(), FULL, target="mariana").end()
    add("g13-all-assigned.neff", neff(gz(t, 9), mask=V.ASSIGNED_MASK, schema=2, vnc_size=2),
        "every assigned bit, all eleven names", mask=V.ASSIGNED_MASK, schema=2, cores={"sg00/def.json": FULL},
        compressed=True, arch=40, tail=Z)
    t = Tar().add("neff.json", neff_json()).add("def.json", def_json([CO]))
    add("g14-flat-def-json.neff", neff(t.end(), mask=0x4, schema=2), "def.json at the top level, no kelf member",
        mask=0x4, schema=2, cores={"def.json": [CO]}, members=["neff.json", "def.json"], arch=None, tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"\xef\xbb\xbf" + def_json([CO]))
    add("g15-utf8-bom.neff", neff(t.end(), mask=0x4, schema=2), "a UTF-8 byte order mark before def.json is fine",
        mask=0x4, schema=2, cores={"sg00/def.json": [CO]}, members=["neff.json", "sg00/def.json"], arch=None,
        tail=Z)
    add("g16-gzip-options.neff", neff(gz(plain, extra=True)), "gzip header with FEXTRA, FNAME, FCOMMENT and FHCRC",
        compressed=True, tail=Z)
    add("g17-gzip-stored.neff", neff(gz(plain, stored=True)), "gzip with stored blocks only", compressed=True,
        tail=Z)
    t = Tar().add("neff.json", neff_json()).add("kelf-a.json", kelf_json("*")).add("sg00/def.json", def_json([]))
    add("g18-header-only-bits.neff", neff(t.end(), mask=0x203000, schema=2),
        "bits without names: an empty array is right", mask=0x203000, schema=2,
        members=["neff.json", "kelf-a.json", "sg00/def.json"], arch=None, tail=Z)
    t = Tar().add("kelp.json", neff_json("kelf-0.json")).add("kelf-0.json", kelf_json("v2"))
    t.add("sg00/def.json", def_json([]))
    add("g19-legacy-manifest.neff", neff(t.end()), "kelp.json in place of neff.json",
        members=["kelp.json", "kelf-0.json", "sg00/def.json"], tail=Z)
    t = base(Tar(), [])
    t.add("weights.npy", b"", size_field=b"\x80" + (0).to_bytes(11, "big"))
    add("g20-base256-zero.neff", neff(t.end()), "base-256 size of zero", members=BASE + ["weights.npy"], tail=Z)
    data = def_json([CO])
    t = Tar(pax=False).add("neff.json", neff_json())
    t.raw(pax_header([(b"size", b"%d" % len(data))]))
    t.raw(tar_block("sg00/def.json", 0) + pad512(data))
    add("g21-pax-size.neff", neff(t.end(), mask=0x4, schema=2), "the PAX size record overrides the header field",
        mask=0x4, schema=2, cores={"sg00/def.json": [CO]}, members=["neff.json", "sg00/def.json"], arch=None,
        tail=Z)

    data = def_json([CO])
    t = Tar(pax=False).add("neff.json", neff_json())
    t.raw(tar_block("sg00/def.json", len(data), prefix=b"nc00/" + b"p" * 120) + pad512(data))
    long_name = "nc00/" + "p" * 120 + "/sg00/def.json"
    add("g22-ustar-prefix.neff", neff(t.end(), mask=0x4, schema=2), "long name split over the ustar prefix field",
        mask=0x4, schema=2, cores={long_name: [CO]}, members=["neff.json", long_name], arch=None, tail=Z)

    t = Tar().add("neff.json", neff_json()).add("kelf-a.json", kelf_json("v3", ("sg00", "sg01")))
    t.add("sg00/def.json", def_json([CO, BC, VN])).add("sg01/def.json", def_json([BC, VN]))
    add("g23-two-cores-union.neff", neff(gz(t.end()), mask=0xD04, schema=2, vnc_size=2),
        "unequal cores, header mask is the union", mask=0xD04, schema=2,
        cores={"sg00/def.json": [CO, BC, VN], "sg01/def.json": [BC, VN]},
        members=["neff.json", "kelf-a.json", "sg00/def.json", "sg01/def.json"],
        findings=[F("partial-core-names", "sg01/def.json", CO)], compressed=True, arch=30, tail=Z)

    # ---- header ---------------------------------------------------------
    broken("m01-empty.neff", b"", "empty file", "short-header", layout=None, mask=None, schema=None, hash_="none")
    broken("m02-short-header.neff", neff(plain)[:1000], "file ends inside the header", "short-header",
           layout=None, mask=None, schema=None, hash_="none")
    broken("m03-header-only.neff", neff(b"", "page", mask=0x4, schema=2), "header and nothing else",
           "payload-empty", layout="page", mask=0x4, schema=2, hash_="none")
    broken("m04-header-size-512.neff", neff(plain, header_size=512, mask=0x4, schema=2),
           "header size field 512; the loader would go on, a strict inspector stops", "bad-header-size",
           mask=0x4, schema=2, tail=Z, hash_="none")
    broken("m05-header-size-huge.neff", neff(plain, header_size=1 << 40), "header size field beyond the file",
           "bad-header-size", tail=Z, hash_="none")
    broken("m06-data-size-too-big.neff", neff(plain, data_size=len(plain) + 1), "data size one byte too long",
           "data-size-exceeds-file", tail=Z, hash_="none")
    broken("m07-pkg-version-3.neff", neff(plain, pkg=3), "unknown packaging version", "bad-pkg-version",
           hash_="none")
    add("m08-hash-mismatch.neff", neff(gz(plain), good_hash=False), "digest does not match the payload",
        findings=[F("hash-mismatch", "header")], compressed=True, tail=Z, hash_="mismatch")
    add("m09-trailing-data.neff", neff(gz(plain)) + b"junk", "bytes after the data size",
        findings=[F("trailing-data", "file", 4)], compressed=True, tail=Z)
    add("m10-trailing-in-gzip.neff", neff(gz(plain) + b"junk"), "bytes after the gzip stream, inside the data size",
        findings=[F("trailing-data", "payload", 4)], compressed=True, tail=Z)

    # ---- archive --------------------------------------------------------
    g = gz(plain)
    broken("m11-gzip-truncated.neff", neff(g[:len(g) // 2]), "gzip stream cut in half", "gzip-truncated",
           compressed=True, tail=Z)
    broken("m12-gzip-bad-crc.neff", neff(gz(plain, bad_crc=True)), "gzip trailer with a wrong CRC",
           "gzip-corrupt", compressed=True, tail=Z)
    broken("m13-gzip-bad-deflate.neff", neff(g[:10] + b"\x07" + g[11:]), "reserved deflate block type",
           "gzip-corrupt", compressed=True, tail=Z)
    broken("m14-not-an-archive.neff", neff(b"this is not a tar archive".ljust(1024, b".")),
           "payload is neither gzip nor tar", "payload-not-archive", tail=Z)
    cut = plain[:plain.rindex(b"\"neff_features\"")]
    broken("m15-tar-truncated.neff", neff(cut), "plain tar cut inside sg00/def.json", "tar-truncated", tail=Z)
    broken("m16-tar-cut-in-header.neff", neff(plain[:512 * 3 + 100]), "plain tar cut inside a header block",
           "tar-truncated", tail=Z)
    add("m17-tar-no-end.neff", neff(base(Tar()).end(0)), "no zero blocks at the end",
        findings=[F("tar-no-end", "payload")], tail=Z)
    bad = bytearray(plain)
    at = plain.index(b"neff.json\0") + 148
    bad[at] = ord("7") if bad[at] != ord("7") else ord("6")
    broken("m18-tar-bad-checksum.neff", neff(bytes(bad)), "wrong header checksum in the third member",
           "tar-bad-checksum", tail=Z)
    t = base(Tar(), []).add("weights.bin", b"x" * 64, size_field=b"77777777777\0")
    broken("m19-huge-size-octal.neff", neff(t.end()), "a data member declares 8 GiB - 1 in a small file",
           "tar-truncated", tail=Z)
    t = Tar().add("neff.json", neff_json())
    t.add("sg00/def.json", b"{}", size_field=b"\x80" + (1 << 62).to_bytes(11, "big"))
    broken("m20-huge-size-base256.neff", neff(gz(t.end())), "def.json declares 2^62 bytes: refuse, do not allocate",
           "member-too-large", compressed=True, tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"{}", size_field=b"\xff" * 12)
    broken("m21-negative-size.neff", neff(t.end()), "base-256 size of -1", "tar-bad-size", tail=Z)
    t = Tar().add("neff.json", neff_json())
    t.add("sg00/def.json", b"{}", size_field=b"\x80" + (1 << 70).to_bytes(11, "big"))
    broken("m22-size-over-63-bits.neff", neff(t.end()), "base-256 size that does not fit 63 bits", "tar-bad-size",
           tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"{}", size_field=b"0000000zz12\0")
    broken("m23-size-not-octal.neff", neff(t.end()), "size field with letters", "tar-bad-size", tail=Z)
    t = Tar(pax=False).add("neff.json", neff_json())
    t.raw(pax_header([(b"size", b"99999999999999999999")])).add("sg00/def.json", def_json())
    broken("m24-pax-size-overflow.neff", neff(t.end()), "PAX size record above 63 bits", "tar-bad-size", tail=Z)
    t = Tar(pax=False).raw(pax_header([], raw=b"999 path=short\n")).add("sg00/def.json", def_json())
    broken("m25-pax-record-length.neff", neff(t.end()), "PAX record longer than its header", "tar-bad-extension",
           tail=Z)
    t = Tar(pax=False).raw(pax_header([], raw=b"12 nothing!\n")).add("sg00/def.json", def_json())
    broken("m26-pax-record-no-equals.neff", neff(t.end()), "PAX record without an equals sign",
           "tar-bad-extension", tail=Z)
    t = Tar(pax=False).raw(tar_block("PaxHeader/x", 1 << 30, b"x")).add("sg00/def.json", def_json())
    broken("m27-pax-header-huge.neff", neff(t.end()), "PAX header that declares 1 GiB", "tar-bad-extension", tail=Z)
    t = base(Tar(), []).add("zeros.bin", b"\0" * (24 << 20)).end()
    broken("m28-inflate-bomb.neff", neff(gz(t, 9)), "24 MiB of zeros against a 16 MiB limit", "inflated-too-large",
           compressed=True, tail=Z, options={"max_inflated": 16 << 20})

    # ---- member names ---------------------------------------------------
    evil = ["../evil.sh", "/etc/cron.d/evil", "sg00/../../evil", "sg00\\..\\evil", "C:evil", ".."]
    t = base(Tar(pax=False), [])
    for e in evil:
        t.add(e, b"evil")
    add("m29-path-traversal.neff", neff(t.end()), "names that leave the extraction folder",
        findings=[F("unsafe-member-name", e) for e in evil], tail=Z)
    t = Tar(pax=False).add("neff.json", neff_json()).add("../sg00/def.json", def_json([CO]))
    add("m30-traversing-def-json.neff", neff(t.end(), mask=0x4, schema=2),
        "the only def.json has an unsafe name, so there is none", mask=0x4, schema=2, cores={},
        members=["neff.json"], arch=None, tail=Z,
        findings=[F("unsafe-member-name", "../sg00/def.json"), F("def-json-missing", "archive")])
    t = base(Tar(pax=False), [])
    t.raw(pax_header([(b"path", b"sg00/a\0b")])).add("x", b"1")
    t.raw(pax_header([(b"path", b"sg00/\xff\xfe")])).add("y", b"1")
    t.raw(pax_header([(b"path", b"a\nb")])).add("z", b"1")
    add("m31-odd-names.neff", neff(t.end()), "names with a NUL, invalid UTF-8 and a newline", tail=Z,
        findings=[F("unsafe-member-name", "sg00/a\\x00b"), F("unsafe-member-name", "sg00/\\xff\\xfe"),
                  F("unsafe-member-name", "a\\x0ab")])
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", typeflag=b"2", link=b"/etc/passwd")
    add("m32-symlink-def-json.neff", neff(t.end()), "def.json is a symbolic link: not a regular member",
        findings=[F("special-member", "sg00/def.json", "2"), F("def-json-missing", "archive")], cores={},
        members=["neff.json"], arch=None, tail=Z)
    t = base(Tar(), [HF]).add("./sg00/def.json", def_json([CO]))
    add("m33-duplicate-def-json.neff", neff(t.end(), mask=0x4, schema=2),
        "the same name twice after stripping ./: the later one counts", mask=0x4, schema=2,
        cores={"sg00/def.json": [CO]}, findings=[F("duplicate-member", "sg00/def.json")], tail=Z)

    # ---- content --------------------------------------------------------
    t = Tar().add("neff.json", neff_json()).add("kelf-a.json", kelf_json()).add("info.json", INFO)
    add("m34-no-def-json.neff", neff(t.end(), mask=0x4, schema=2), "no def.json at all", mask=0x4, schema=2,
        cores={}, members=["neff.json", "kelf-a.json", "info.json"],
        findings=[F("def-json-missing", "archive")], tail=Z)
    t = Tar().add("kelf-a.json", kelf_json()).add("sg00/def.json", def_json())
    add("m35-no-neff-json.neff", neff(t.end()), "neither neff.json nor kelp.json",
        members=["kelf-a.json", "sg00/def.json"], findings=[F("neff-json-missing", "archive")], tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"{\"neff_features\": [")
    add("m36-def-json-cut.neff", neff(t.end()), "def.json is not valid JSON", cores={"sg00/def.json": []},
        members=["neff.json", "sg00/def.json"], findings=[F("json-invalid", "sg00/def.json")], arch=None, tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"[" * 100000 + b"]" * 100000)
    add("m37-def-json-deep.neff", neff(gz(t.end())), "100000 nested arrays: an error, not a crash",
        members=["neff.json", "sg00/def.json"], findings=[F("json-invalid", "sg00/def.json")], compressed=True,
        arch=None, tail=Z)
    t = Tar().add("neff.json", neff_json()).add("sg00/def.json", b"[]")
    add("m38-def-json-not-object.neff", neff(t.end()), "def.json is an array",
        members=["neff.json", "sg00/def.json"], findings=[F("json-invalid", "sg00/def.json")], arch=None, tail=Z)

    def content(fname, about, features, mask, schema, findings, names=None, vnc_size=1, target="sunda", arch=20):
        tt = Tar().add("neff.json", neff_json()).add("kelf-a.json", kelf_json(target))
        tt.add("sg00/def.json", def_json(features))
        add(fname, neff(gz(tt.end()), mask=mask, schema=schema, vnc_size=vnc_size), about, mask=mask, schema=schema,
            cores={"sg00/def.json": names if names is not None else (features if isinstance(features, list) else [])},
            members=["neff.json", "kelf-a.json", "sg00/def.json"], findings=findings, compressed=True, arch=arch,
            tail=Z)

    D = "sg00/def.json"
    content("m39-features-missing.neff", "def.json without the key", V.MISSING, 0x4, 2,
            [F("features-key-missing", D), F("bit-without-name", "header", "0x4")])
    content("m40-features-not-array.neff", "the key holds a string", CO, 0x4, 2,
            [F("features-not-array", D), F("bit-without-name", "header", "0x4")])
    content("m41-features-not-strings.neff", "numbers and null in the array", [7, CO, None], 0x4, 2,
            [F("feature-not-string", D, "[0]"), F("feature-not-string", D, "[2]")], names=[CO])
    content("m42-name-without-bit.neff", "name listed, bit clear", [CO, HF], 0x4, 2,
            [F("name-without-bit", D, HF)])
    content("m43-bit-without-name.neff", "bit set, name missing", [CO], 0x24, 2,
            [F("bit-without-name", "header", "0x20")])
    content("m44-unknown-name.neff", "name nobody knows", [CO, "neff_feature_time_travel"], 0x4, 2,
            [F("unknown-name", D, "neff_feature_time_travel")])
    content("m45-header-only-name.neff", "a name that belongs only in the header", ["neff_feature_DGE"], 0x1000, 2,
            [F("header-only-name", D, "neff_feature_DGE")])
    content("m46-duplicate-and-order.neff", "names twice and out of order", [HF, CO, HF], 0x24, 2,
            [F("duplicate-name", D, HF), F("name-order", D)])
    content("m47-alias.neff", "the enum spelling of the first flag", ["neff_collective_has_offset"], 0x2, 2,
            [F("alias-name", D, "neff_collective_has_offset")])
    content("m48-gap-bits.neff", "bits 18 and 26: inside the loader window, assigned to nothing", [], 0x4040000, 2,
            [F("unassigned-bit", "header", "0x40000"), F("unassigned-bit", "header", "0x4000000")])
    content("m49-unknown-bits.neff", "bits 27 and 40: every examined loader refuses", [], 0x10008000000, 2,
            [F("unassigned-bit", "header", "0x8000000"), F("unassigned-bit", "header", "0x10000000000")])
    content("m50-bit-63.neff", "bit 63: the examined loader never tests it", [], 1 << 63, 2,
            [F("unassigned-bit", "header", "0x8000000000000000")])
    content("m51-schema-too-new.neff", "schema 3", [CO], 0x4, 3, [F("schema-unknown", "header", 3)])
    content("m52-schema-too-low.neff", "bits set but schema 1: the loader would not look at them", [CO], 0x4, 1,
            [F("schema-too-low", "header", 1)])
    content("m53-vnc-mismatch.neff", "vnc bit set, header says one core", [VN], 0x400, 2,
            [F("vnc-size-mismatch", "header", 1)])
    content("m54-arch-mismatch.neff", "the generation-4 bit in a generation-3 file", [], 0x1000800, 2,
            [F("arch-bit-mismatch", "header", "0x1000000")], target="cayman", arch=30)
    content("m55-unknown-target.neff", "kelf target the loader does not know", [], 0, 1,
            [F("kelf-target-unknown", "kelf-a.json", "warp9")], target="warp9", arch=None)
    content("m57-target-not-string.neff", "kelf target is a number", [], 0, 1,
            [F("kelf-target-unknown", "kelf-a.json")], target=7, arch=None)
    tt = Tar().add("neff.json", neff_json()).add("kelf-a.json", kelf_json("cayman", ("sg00", "sg01")))
    tt.add("sg00/def.json", def_json([CO, BC, VN])).add("sg01/def.json", def_json([BC, VN]))
    add("m56-last-core-wins.neff", neff(gz(tt.end()), mask=0xD00, schema=2, vnc_size=2),
        "the header mask is the last core's: the first core's custom_ops bit is lost", mask=0xD00, schema=2,
        cores={"sg00/def.json": [CO, BC, VN], "sg01/def.json": [BC, VN]},
        members=["neff.json", "kelf-a.json", "sg00/def.json", "sg01/def.json"],
        findings=[F("name-without-bit", "sg00/def.json", CO)], compressed=True, arch=30, tail=Z)
    return out


def finish(fname, data, about, e, options):
    """Adds what follows mechanically from the hand-written part."""
    e = dict(e)
    mask = None if e["mask"] is None else int(e["mask"], 16)
    schema = None if e["schema_min"] is None else int(e["schema_min"], 16)
    e["bits"] = None if mask is None else V.bits_of(mask)
    e["gate_assigned"] = None if mask is None else V.gate(mask, schema, V.ASSIGNED_MASK, 2)
    e["gate_window"] = None if mask is None else V.gate(mask, schema, V.LIBNRT_SUPPORTED, 2)
    h = V.runtime_fields(data[:1024]) if len(data) >= 1024 else None
    e["libnrt_header_gate"] = V.libnrt_gate(h, len(data))
    e["exit"] = exit_code(e["fatal"], e["findings"])
    return {"file": fname, "about": about, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(),
            "options": options, "expect": e}


def exit_code(fatal, findings):
    if fatal:
        return 2
    return 1 if any(f["severity"] != "info" for f in findings) else 0


# --------------------------------------------------------------------------
# Reference inspector
# --------------------------------------------------------------------------

class Fatal(Exception):
    pass


DEF_RE = re.compile(r"(?:^|/)sg[0-9]+/def\.json$")
KELF_RE = re.compile(r"^kelf-[0-9A-Za-z]+\.json$")
TARGET_TO_LEVEL = {2: 20, 3: 30, 4: 40}


def is_sidecar(name):
    return name in ("def.json", "neff.json", "kelp.json", "info.json") or bool(
        DEF_RE.search(name) or KELF_RE.match(name))


def show_name(raw):
    text = raw.decode("utf-8", "backslashreplace")
    return "".join(c if ord(c) >= 0x20 and ord(c) != 0x7F else "\\x%02x" % ord(c) for c in text)


def unsafe(raw):
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return True
    if not text or text.startswith("/") or "\\" in text or re.match(r"^[A-Za-z]:", text):
        return True
    if any(ord(c) < 0x20 or ord(c) == 0x7F for c in text):
        return True
    return ".." in text.split("/")


def tar_number(field):
    if field[0] & 0x80:
        if field[0] == 0xFF:
            raise Fatal("tar-bad-size")
        value = int.from_bytes(bytes([field[0] & 0x7F]) + field[1:], "big")
    else:
        text = field.strip(b" \0")
        if text and re.search(rb"[^0-7]", text):
            raise Fatal("tar-bad-size")
        value = int(text, 8) if text else 0
    if value >= 1 << 63:
        raise Fatal("tar-bad-size")
    return value


def checksum_ok(block):
    text = block[148:156].strip(b" \0")
    if not text or re.search(rb"[^0-7]", text):
        return False
    want = int(text, 8)
    body = block[:148] + b" " * 8 + block[156:]
    return want in (sum(body), sum(b - 256 if b > 127 else b for b in body))


def pax_records(data):
    out, i = {}, 0
    while i < len(data):
        sp = data.find(b" ", i)
        if sp < 0 or sp == i or sp - i > 9 or not data[i:sp].isdigit():
            raise Fatal("tar-bad-extension")
        n = int(data[i:sp])
        rec = data[sp + 1:i + n]
        if i + n > len(data) or n <= sp - i + 1 or not rec.endswith(b"\n") or b"=" not in rec:
            raise Fatal("tar-bad-extension")
        k, v = rec[:-1].split(b"=", 1)
        out[k] = v
        i += n
    return out


def walk(data, findings):
    """Returns ordered list of (name, bytes or None); bytes only for sidecars."""
    order, files = [], {}
    i, first, pending = 0, True, {}
    while True:
        if i >= len(data):
            if first:
                raise Fatal("payload-not-archive")
            findings.append(F("tar-no-end", "payload"))
            break
        block = data[i:i + 512]
        if len(block) < 512:
            raise Fatal("payload-not-archive" if first else "tar-truncated")
        if not any(block):
            break
        if not checksum_ok(block):
            raise Fatal("payload-not-archive" if first else "tar-bad-checksum")
        first = False
        i += 512
        kind = block[156:157]
        size = tar_number(block[124:136])
        if kind in (b"x", b"g", b"L", b"K"):
            if size > EXT_LIMIT:
                raise Fatal("tar-bad-extension")
            if size > len(data) - i:
                raise Fatal("tar-truncated")
            body = data[i:i + size]
            if kind == b"x":
                pending.update(pax_records(body))
            elif kind == b"g":
                pax_records(body)
            elif kind == b"L":
                pending[b"path"] = body.rstrip(b"\0")
            i += size + (-size % 512)
            continue
        raw = block[:100].split(b"\0", 1)[0]
        if block[257:263] == b"ustar\0" and block[345]:
            raw = block[345:500].split(b"\0", 1)[0] + b"/" + raw
        raw = pending.get(b"path", raw)
        if b"size" in pending:
            if not pending[b"size"].isdigit() or len(pending[b"size"]) > 20:
                raise Fatal("tar-bad-size")
            size = int(pending[b"size"])
            if size >= 1 << 63:
                raise Fatal("tar-bad-size")
        pending = {}
        if raw.startswith(b"./"):
            raw = raw[2:]
        directory = kind == b"5" or (kind in (b"0", b"\0") and raw.endswith(b"/"))
        regular = kind in (b"0", b"\0", b"7") and not directory
        bad = not directory and unsafe(raw)
        name = show_name(raw)
        want = regular and not bad and is_sidecar(name)
        if want and size > JSON_MEMBER_LIMIT:
            raise Fatal("member-too-large")
        if size > len(data) - i:
            raise Fatal("tar-truncated")
        body = data[i:i + size]
        i += size + (-size % 512)
        if directory:
            continue
        if bad:
            findings.append(F("unsafe-member-name", name))
            continue
        if not regular:
            findings.append(F("special-member", name, kind.decode("latin-1")))
            continue
        if name.endswith("wavegraph-bin.json"):
            continue
        if name in files:
            findings.append(F("duplicate-member", name))
        else:
            order.append(name)
        files[name] = body if want else None
    return [(n, files[n]) for n in order]


def inflate(payload, limit):
    d = zlib.decompressobj(31)
    out, feed = bytearray(), payload
    while True:
        try:
            out += d.decompress(feed, 1 << 20)
        except zlib.error:
            raise Fatal("gzip-corrupt")
        if len(out) > limit:
            raise Fatal("inflated-too-large")
        if d.eof:
            return bytes(out), len(d.unused_data)
        feed = d.unconsumed_tail
        if not feed:
            raise Fatal("gzip-truncated")


def load_json(body):
    if body.startswith(b"\xef\xbb\xbf"):
        body = body[3:]
    obj = json.loads(body.decode("utf-8"))
    if not isinstance(obj, dict):
        raise ValueError("not an object")
    return obj


def inspect(data, options):
    e = {"layout": None, "fatal": None, "findings": [], "mask": None, "schema_min": None, "cores": {},
         "members": [], "compressed": False, "arch": None, "hash": "none", "hash_tail": None}
    fs = []
    try:
        if len(data) < 1024:
            raise Fatal("short-header")
        h = data[:1024]
        layout, mask, schema = V.decode(h)
        f = V.runtime_fields(h)
        e.update(layout=layout, mask=V.hx(mask), schema_min=V.hx(schema))
        if layout == "runtime" and f["pkg_version"] == 2:
            e["hash_tail"] = V.hash_tail_kind(h)
        if f["pkg_version"] not in (1, 2):
            raise Fatal("bad-pkg-version")
        if f["header_size"] != 1024:
            raise Fatal("bad-header-size")
        payload = data[1024:]
        if layout == "runtime":
            if f["data_size"] > len(payload):
                raise Fatal("data-size-exceeds-file")
            if f["data_size"] < len(payload):
                fs.append(F("trailing-data", "file", len(payload) - f["data_size"]))
                payload = payload[:f["data_size"]]
            if f["pkg_version"] == 1:
                same = hashlib.sha256(payload).digest() == f["hash"]
            else:
                same = hashlib.md5(payload).digest() == f["hash"][:16]
            e["hash"] = "ok" if same else "mismatch"
            if not same:
                fs.append(F("hash-mismatch", "header"))
        if not payload:
            raise Fatal("payload-empty")
        if payload[:3] == b"\x1f\x8b\x08":
            e["compressed"] = True
            payload, extra = inflate(payload, options.get("max_inflated", DEFAULT_MAX_INFLATED))
            if extra:
                fs.append(F("trailing-data", "payload", extra))
        members = walk(payload, fs)
        e["members"] = [n for n, _b in members]
        by = dict(members)
        if "neff.json" not in by and "kelp.json" not in by:
            fs.append(F("neff-json-missing", "archive"))
        for n in ("neff.json", "kelp.json"):
            if n in by:
                try:
                    load_json(by[n])
                except (ValueError, RecursionError):
                    fs.append(F("json-invalid", n))
        levels = set()
        for n in sorted(by):
            if KELF_RE.match(n):
                try:
                    target = load_json(by[n]).get("target")
                except (ValueError, RecursionError):
                    fs.append(F("json-invalid", n))
                    continue
                if not isinstance(target, str):
                    fs.append(F("kelf-target-unknown", n))
                elif target in V.KELF_TARGETS:
                    levels.add(TARGET_TO_LEVEL[V.KELF_TARGETS[target]])
                elif target == "*":
                    levels.add(None)
                else:
                    fs.append(F("kelf-target-unknown", n, target))
        e["arch"] = levels.pop() if len(levels) == 1 else None
        paths = sorted(n for n in by if DEF_RE.search(n))
        if not paths and "def.json" in by:
            paths = ["def.json"]
        cores, readable = [], True
        for p in paths:
            try:
                obj = load_json(by[p])
            except (ValueError, RecursionError):
                fs.append(F("json-invalid", p))
                e["cores"][p] = []
                readable = False
                continue
            value = obj.get("neff_features", V.MISSING)
            cores.append((p, value))
            e["cores"][p] = [s for s in value if isinstance(s, str)] if isinstance(value, list) else []
        vnc = f["vnc_size"] if layout == "runtime" else None
        got = V.check(mask, schema, cores, vnc, e["arch"])
        if not readable:
            got = [g for g in got if g["code"] not in ("def-json-missing", "bit-without-name")]
        fs.extend(got)
    except Fatal as x:
        e["fatal"] = x.args[0]
        e["members"], e["cores"], e["arch"] = [], {}, None
    e["findings"] = V.sort_findings(fs)
    return e


# --------------------------------------------------------------------------

def write(folder):
    os.makedirs(folder, exist_ok=True)
    files = []
    for fname, data, about, e, options in make():
        with open(os.path.join(folder, fname), "wb") as f:
            f.write(data)
        files.append(finish(fname, data, about, e, options))
    doc = {"format": INDEX_FORMAT,
           "note": ("Findings are sorted by code, where, what. mask and schema_min are hex strings, null when no "
                    "header could be read. After a fatal error members, cores and arch are empty. exit: 0 clean or "
                    "info only, 1 warnings or errors, 2 fatal."),
           "severities": SEVERITY, "fatal_codes": FATAL,
           "limits": {"json_member": JSON_MEMBER_LIMIT, "max_inflated": DEFAULT_MAX_INFLATED,
                      "extension_header": EXT_LIMIT},
           "files": files}
    with open(os.path.join(folder, "index.json"), "w", encoding="ascii", newline="") as f:
        f.write(json.dumps(doc, indent=1) + "\n")
    print("wrote %d files, %d bytes" % (len(files), sum(x["size"] for x in files)))
    return 0


def verify(folder):
    with open(os.path.join(folder, "index.json"), encoding="ascii") as f:
        doc = json.load(f)
    bad = 0
    for x in doc["files"]:
        with open(os.path.join(folder, x["file"]), "rb") as f:
            data = f.read()
        if hashlib.sha256(data).hexdigest() != x["sha256"]:
            print("CHANGED %s" % x["file"])
            bad += 1
            continue
        got = finish(x["file"], data, x["about"], inspect(data, x["options"]), x["options"])["expect"]
        for k in x["expect"]:
            if got[k] != x["expect"][k]:
                bad += 1
                print("%s %s\n  index:     %s\n  inspector: %s" % (
                    x["file"], k, json.dumps(x["expect"][k]), json.dumps(got[k])))
    print("%d files, %d differences" % (len(doc["files"]), bad))
    return 1 if bad else 0


def main(argv=None):
    ap = argparse.ArgumentParser(description="write or verify synthetic .neff files")
    ap.add_argument("folder", nargs="?")
    ap.add_argument("--verify", metavar="DIR")
    ap.add_argument("--list", action="store_true")
    args = ap.parse_args(argv)
    V.self_test()
    if args.verify:
        return verify(args.verify)
    if args.list:
        for fname, data, about, _e, _o in make():
            print("%-34s %8d  %s" % (fname, len(data), about))
        return 0
    if not args.folder:
        ap.error("a folder is needed")
    return write(args.folder)


if __name__ == "__main__":
    sys.exit(main())
