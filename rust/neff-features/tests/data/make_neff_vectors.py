#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Golden vectors for the NEFF feature flags (see the NEFF feature reference).

Standard library only, deterministic, no clock, no randomness besides a fixed
generator.  The module doubles as an executable reference: make_neff_files.py
imports it.

    make_neff_vectors.py                 write neff-features.json beside this script
    make_neff_vectors.py --out FILE      write somewhere else
    make_neff_vectors.py --check [FILE]  exit 1 if the stored file differs

Every 64-bit quantity in the JSON is a string "0x..." (lower case, no padding).
"""

import argparse
import hashlib
import json
import os
import re
import struct
import sys

U64 = (1 << 64) - 1
U32 = (1 << 32) - 1

FORMAT = "neff-features-vectors/1"
HEADER_SIZE = 1024


def hx(value):
    return "0x%x" % value


# --------------------------------------------------------------------------
# Static tables
# --------------------------------------------------------------------------

# The enum as stored in the compiler's IR library: ordinal -> name.
MODULE_ATTRIBUTES = [
    "previous_pass",                               # 0  bookkeeping
    "pass_sequence_number",                        # 1  bookkeeping
    "neff_collective_has_offset",                  # 2
    "neff_feature_custom_ops",                     # 3
    "neff_coalesced_ccops",                        # 4
    "neff_queue_set_instances",                    # 5
    "neff_has_functions",                          # 6
    "neff_feature_dynamic_pwp",                    # 7
    "neff_feature_indirect_memcpy_32b_sem_wait",   # 8
    "neff_feature_indirect_memcpy_bound_check",    # 9
    "neff_feature_DMA_desc_higher_dim",            # 10
    "neff_feature_DGE",                            # 11
    "neff_feature_POOL_RSQRT",                     # 12
    "neff_feature_DGE_cast",                       # 13
    "neff_feature_vector_DGE",                     # 14
    "neff_feature_embedding_stride32",             # 15
    "neuron_core_id",                              # 16 not a feature
    "neff_feature_hardware_DGE",                   # 17
    "loops_on_chip",                               # 18 not a feature
    "loops_in_backend",                            # 19 not a feature
    "neff_feature_SQI_no_rearm",                   # 20
    "neff_feature_partial_sb2sb_ccop",             # 21
    "neff_feature_large_tensor_support",           # 22
]

# The alternatives of the stored value, in declared order.
VALUE_ARMS = ["bool", "i64", "u64", "string", "list", "map"]

# One row per header bit, in ASSEMBLY order.
# (bit number, source, ordinal or None, def.json name or None)
ASSEMBLY = [
    (1, "attribute", 2, "collective_has_offset"),
    (2, "attribute", 3, "neff_feature_custom_ops"),
    (3, "attribute", 4, "neff_coalesced_ccops"),
    (4, "attribute", 5, "neff_queue_set_instances"),
    (5, "attribute", 6, "neff_has_functions"),
    (6, "attribute", 7, "neff_feature_dynamic_pwp"),
    (7, "attribute", 8, "neff_feature_indirect_memcpy_32b_sem_wait"),
    (8, "attribute", 9, "neff_feature_indirect_memcpy_bound_check"),
    (9, "attribute", 10, "neff_feature_DMA_desc_higher_dim"),
    (10, "vnc", None, "neff_feature_vnc"),
    (11, "dve", None, None),
    (12, "attribute", 11, None),
    (13, "attribute", 12, None),
    (17, "attribute", 15, None),
    (14, "remote_sem", None, "neff_feature_remote_sem"),
    (15, "attribute", 13, None),
    (16, "attribute", 14, None),
    (21, "attribute", 17, None),
    (20, "attribute", 20, None),
    (22, "attribute", 21, None),
    (25, "attribute", 22, None),
    (24, "arch39", None, None),
]

# bit number -> display label used by tools (the def.json name where there is
# one, else the attribute name, else a label of our own in angle brackets).
OWN_LABELS = {11: "<dve_perf_mode>", 24: "<arch_gt_39>"}


def bit_label(bit):
    for b, _src, ordinal, name in ASSEMBLY:
        if b == bit:
            if name:
                return name
            if ordinal is not None:
                return MODULE_ATTRIBUTES[ordinal]
            return OWN_LABELS[b]
    return "<unassigned_%d>" % bit


NAMED = [(bit, name) for bit, _s, _o, name in ASSEMBLY if name]
NAME_TO_BIT = {name: bit for bit, name in NAMED}
CANON_INDEX = {name: i for i, (_b, name) in enumerate(NAMED)}
ALIASES = {"neff_collective_has_offset": "collective_has_offset"}
HEADER_ONLY = {
    MODULE_ATTRIBUTES[o]: bit
    for bit, src, o, name in ASSEMBLY
    if src == "attribute" and not name
}
ASSIGNED_MASK = 0
for _b, _s, _o, _n in ASSEMBLY:
    ASSIGNED_MASK |= 1 << _b
NAMED_MASK = 0
for _b, _n in NAMED:
    NAMED_MASK |= 1 << _b

LIBNRT_TRAP = 0x7FFFFFFFF8000000
LIBNRT_SUPPORTED = 0x7FFFFFF
LIBNRT_MAX_MAJOR = 2
NRT_OK, NRT_INVALID, NRT_UNSUPPORTED_NEFF_VERSION = 0, 2, 10

# level, generation, IR name, runtime codename, marketed, core, aliases
ARCH_LEVELS = [
    (10, 1, "inferentia", "inferentia", "Inf1", "CoreV1", ["tonga", "inferentia", "inf1"]),
    (20, 2, "sunda", "sunda", "Trn1", "CoreV2", ["sunda", "trainium", "trn1", "inf2"]),
    (30, 3, "gen3", "cayman", "Trn2", "CoreV3", ["cayman", "gen3"]),
    (40, 4, "core_v4", "mariana", "Trn3", "CoreV4", ["core_v4"]),
    (50, 5, "core_v5", "core_v5", "Trn4", "CoreV5", []),
]
# Target strings the loader's arch gate takes, with its own ordinals.
KELF_TARGETS = {"sunda": 2, "v2": 2, "cayman": 3, "v3": 3, "mariana": 4, "v4": 4, "": 2}

SEVERITY = {
    "alias-name": "info",
    "arch-bit-mismatch": "warning",
    "bit-without-name": "error",
    "def-json-missing": "error",
    "duplicate-name": "warning",
    "feature-not-string": "error",
    "features-key-missing": "warning",
    "features-not-array": "error",
    "header-only-name": "warning",
    "name-order": "info",
    "name-without-bit": "error",
    "partial-core-names": "info",
    "schema-too-low": "error",
    "schema-unknown": "warning",
    "schema-without-features": "info",
    "unassigned-bit": "warning",
    "unknown-name": "warning",
    "vnc-size-mismatch": "warning",
}


# --------------------------------------------------------------------------
# Packager side
# --------------------------------------------------------------------------

def attr(ordinal, kind="bool", value=True):
    return {"ordinal": ordinal, "type": kind, "value": value}


def module(attributes=(), vnc=1, arch=20, disable_dve=False, blocks=(), schema_in=1):
    return {
        "attributes": list(attributes),
        "vnc_nc_count": vnc,
        "arch": arch,
        "disable_dve_perf_mode": disable_dve,
        "blocks": [list(b) for b in blocks],
        "writer_schema_in": schema_in,
    }


def inst(kind="DMABlock", sync_info=True, remote=()):
    return {"kind": kind, "sync_info": sync_info, "remote_notification": list(remote)}


def is_remote_update(i):
    return bool(i["sync_info"]) and i["kind"] == "DMABlock" and len(i["remote_notification"]) > 0


def has_remote_sem(blocks):
    for block in blocks:
        for i in block:
            if is_remote_update(i):
                return True
    return False


def assemble(m, presence="engaged"):
    """presence: 'engaged' (normative) or 'truthy' (the tempting wrong model)."""
    present = set()
    for a in m["attributes"]:
        if presence == "engaged":
            present.add(a["ordinal"])
        elif a["type"] == "bool" and a["value"] is True:
            present.add(a["ordinal"])
    mask, names = 0, []
    for bit, src, ordinal, name in ASSEMBLY:
        if src == "attribute":
            on = ordinal in present
        elif src == "vnc":
            on = m["vnc_nc_count"] > 1
        elif src == "dve":
            on = m["arch"] > 20 and not m["disable_dve_perf_mode"]
        elif src == "remote_sem":
            on = has_remote_sem(m["blocks"])
        else:
            on = m["arch"] > 39
        if on:
            mask |= 1 << bit
            if name:
                names.append(name)
    schema_in = m["writer_schema_in"]
    schema = max(schema_in, 2) if mask != 0 else schema_in
    prose = max(schema_in, 2) if (22 in present or m["arch"] > 39) else schema_in
    return mask, names, schema, prose


def module_case(name, m, note=None):
    mask, names, schema, prose = assemble(m)
    tmask, _tn, _ts, _tp = assemble(m, "truthy")
    expect = {"mask": hx(mask), "names": names, "schema_min": schema}
    if prose != schema:
        expect["schema_min_under_rejected_prose_reading"] = prose
    if tmask != mask:
        expect["mask_under_rejected_truthy_model"] = hx(tmask)
    out = {"name": name, "module": m, "expect": expect}
    if note:
        out["note"] = note
    return out


class Lcg:
    """Fixed generator, identical everywhere (Knuth's 64-bit constants)."""

    def __init__(self, seed):
        self.s = seed & U64

    def next(self):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) & U64
        return self.s >> 33

    def below(self, n):
        return self.next() % n

    def u64(self):
        return ((self.next() << 33) ^ (self.next() << 11) ^ self.next()) & U64


def module_cases():
    c = []
    c.append(module_case("empty-gen2", module()))
    for o in range(len(MODULE_ATTRIBUTES)):
        c.append(module_case("only-ordinal-%02d" % o, module([attr(o)])))
    for n in (0, 1, 2, 4, 0x80000000, U32):
        c.append(module_case("vnc-%d" % n, module(vnc=n), "unsigned comparison with 1"))
    for arch in (-1, 0, 10, 19, 20, 21, 29, 30, 39, 40, 41, 49, 50):
        for off in (False, True):
            c.append(module_case("arch-%d-dve-%s" % (arch, "off" if off else "on"),
                                 module(arch=arch, disable_dve=off), "signed comparison"))
    c.append(module_case("remote-none", module(blocks=[[inst()]])))
    c.append(module_case("remote-empty-blocks", module(blocks=[[], []])))
    c.append(module_case("remote-hit", module(blocks=[[inst(remote=[1])]])))
    c.append(module_case("remote-no-sync-info", module(blocks=[[inst(sync_info=False, remote=[1])]])))
    c.append(module_case("remote-wrong-kind", module(blocks=[[inst(kind="Matmult", remote=[1, 2])]])))
    c.append(module_case("remote-later-block",
                         module(blocks=[[inst(), inst(kind="Call")], [inst(kind="Call"), inst(remote=[0])]]),
                         "a notification list holding only the id 0 is still non-empty"))
    c.append(module_case("remote-two-hits", module(blocks=[[inst(remote=[3])], [inst(remote=[4])]]),
                         "the name is pushed once"))
    c.append(module_case("engaged-false", module([attr(9, "bool", False)]),
                         "stored false still counts as present"))
    c.append(module_case("engaged-false-all",
                         module([attr(o, "bool", False) for o in range(2, 23)])))
    c.append(module_case("engaged-false-large-tensor", module([attr(22, "bool", False)])))
    for kind, value in (("i64", 0), ("u64", 0), ("string", ""), ("list", []), ("map", {})):
        c.append(module_case("engaged-%s" % kind, module([attr(5, kind, value)]),
                             "non-bool arm: counts as present (decision, inferred)"))
    c.append(module_case("bookkeeping-only",
                         module([attr(0, "string", "codegen"), attr(1, "u64", 41), attr(16, "u64", 1),
                                 attr(18), attr(19)]), "ordinals 0, 1, 16, 18, 19 never reach the mask"))
    c.append(module_case("all-attributes-reversed",
                         module([attr(o) for o in range(22, -1, -1)]),
                         "insertion order of attributes is irrelevant"))
    c.append(module_case("everything",
                         module([attr(o) for o in range(23)], vnc=2, arch=50,
                                blocks=[[inst(remote=[1])]])))
    c.append(module_case("everything-dve-off",
                         module([attr(o) for o in range(23)], vnc=2, arch=50, disable_dve=True,
                                blocks=[[inst(remote=[1])]])))
    for s in (0, 1, 2, 3, 7):
        c.append(module_case("schema-in-%d-no-mask" % s, module(schema_in=s)))
        c.append(module_case("schema-in-%d-mask" % s, module([attr(6)], schema_in=s)))
    c.append(module_case("large-tensor-gen2", module([attr(22)])))
    c.append(module_case("public-report-0x100", module([attr(9)]),
                         "the mask and version of public reports: version 2, features 0x100, generation 2"))
    c.append(module_case("typical-gen2", module([attr(5), attr(6), attr(8), attr(9)])))
    c.append(module_case("typical-gen3-two-cores",
                         module([attr(o) for o in (5, 9, 10, 11, 17)] + [attr(16, "u64", 0)], vnc=2, arch=30,
                                blocks=[[inst(kind="Call"), inst(remote=[1])]])))
    c.append(module_case("typical-gen4",
                         module([attr(o) for o in (5, 10, 11, 13, 14, 17, 20, 21)], vnc=2, arch=40)))
    rng = Lcg(0x4E454646)
    for n in range(64):
        attrs = []
        for o in range(23):
            r = rng.below(4)
            if r == 0:
                attrs.append(attr(o))
            elif r == 1 and rng.below(3) == 0:
                attrs.append(attr(o, "bool", False))
        blocks = []
        for _b in range(rng.below(3)):
            blk = []
            for _i in range(rng.below(3)):
                blk.append(inst(kind=("DMABlock", "Call", "Matmult")[rng.below(3)],
                                sync_info=bool(rng.below(4)),
                                remote=[rng.below(8) for _x in range(rng.below(2))]))
            blocks.append(blk)
        c.append(module_case("mixed-%02d" % n,
                             module(attrs, vnc=rng.below(4),
                                    arch=(10, 20, 30, 40, 50)[rng.below(5)],
                                    disable_dve=bool(rng.below(2)), blocks=blocks,
                                    schema_in=rng.below(4))))
    return c


def package_case(name, modules, vnc, note=None):
    """Several modules, one header.  writer schema starts at 1 and is carried."""
    expect = {}
    if len(modules) != vnc:
        expect["error"] = "module-count-mismatch"
    else:
        schema, last, union, per = 1, 0, 0, []
        for m in modules:
            mm = dict(m, vnc_nc_count=vnc, writer_schema_in=schema)
            mask, names, schema, _p = assemble(mm)
            last = mask
            union |= mask
            per.append({"mask": hx(mask), "names": names, "schema_after": schema})
        expect = {"modules": per, "header_mask_last_wins": hx(last), "header_mask_union": hx(union),
                  "schema_min": schema}
    out = {"name": name, "vnc_nc_count": vnc,
           "modules": [{k: m[k] for k in ("attributes", "arch", "disable_dve_perf_mode", "blocks")}
                       for m in modules],
           "expect": expect}
    if note:
        out["note"] = note
    return out


def package_cases():
    return [
        package_case("one-core", [module([attr(3)])], 1),
        package_case("two-cores-same", [module([attr(9), attr(5)], arch=30)] * 2, 2),
        package_case("two-cores-first-richer",
                     [module([attr(3), attr(9)], arch=30), module([attr(9)], arch=30)], 2,
                     "last-wins drops custom_ops from the header; the union keeps it"),
        package_case("two-cores-last-richer",
                     [module([attr(9)], arch=30), module([attr(3), attr(9)], arch=30)], 2),
        package_case("two-cores-features-only-in-first",
                     [module([attr(22)], arch=20), module([], arch=20)], 2,
                     "both cores carry the vnc bit, so neither mask is zero"),
        package_case("one-core-no-features", [module()], 1, "schema stays 1"),
        package_case("count-mismatch", [module()], 2),
        package_case("count-mismatch-none", [], 1),
    ]


# --------------------------------------------------------------------------
# Gates
# --------------------------------------------------------------------------

def bits_of(mask):
    return [b for b in range(64) if (mask >> b) & 1]


def gate(mask, schema, supported, max_schema):
    reasons = []
    unknown = mask & ~supported & U64
    if unknown:
        reasons.append({"reason": "unsupported-feature", "unknown_mask": hx(unknown),
                        "unknown_bits": bits_of(unknown)})
    if schema > max_schema:
        reasons.append({"reason": "schema-too-new", "schema_min": schema, "max_schema": max_schema})
    return {"verdict": "reject" if reasons else "accept", "reasons": reasons}


def gate_cases():
    out = []

    def add(name, mask, schema, supported, max_schema):
        out.append({"name": name, "mask": hx(mask), "schema_min": schema, "supported": hx(supported),
                    "max_schema": max_schema, "expect": gate(mask, schema, supported, max_schema)})

    a = ASSIGNED_MASK
    add("nothing", 0, 1, a, 2)
    add("nothing-empty-runtime", 0, 0, 0, 0)
    add("all-assigned", a, 2, a, 2)
    add("all-assigned-old-runtime", a, 2, 0xFF, 2)
    add("public-report-a", 0x100, 2, 0x80000000000000FF, 2)
    add("public-report-b", 0x100, 2, 0x800000000000001F, 2)
    add("public-report-fixed", 0x100, 2, LIBNRT_SUPPORTED, 2)
    for b in (0, 18, 19, 23, 26):
        add("gap-bit-%d" % b, 1 << b, 2, a, 2)
        add("gap-bit-%d-window" % b, 1 << b, 2, LIBNRT_SUPPORTED, 2)
    for b in (27, 31, 32, 40, 62, 63):
        add("beyond-window-bit-%d" % b, 1 << b, 2, LIBNRT_SUPPORTED, 2)
    add("all-ones", U64, 2, a, 2)
    add("all-ones-supported", U64, 2, U64, 2)
    add("schema-equal", 0x10, 2, a, 2)
    add("schema-one-too-new", 0x10, 3, a, 2)
    add("schema-only", 0, 3, a, 2)
    add("schema-huge", 0, U32, a, 2)
    add("both-reasons", 1 << 40, 3, a, 2)
    add("schema-2-runtime-1", 0x2, 2, a, 1)
    rng = Lcg(0x6761746573)
    for n in range(40):
        mask = rng.u64() & (ASSIGNED_MASK if n % 2 else U64)
        sup = (rng.u64() | rng.u64()) & U64
        add("mixed-%02d" % n, mask, rng.below(4), sup, rng.below(4))
    return out


def libnrt_gate(h, file_size):
    """Header gate of the examined loader; h has the runtime-layout fields."""
    def r(status, reason, **kw):
        d = {"verdict": "accept" if status == 0 else "reject", "status": status, "reason": reason}
        d.update(kw)
        return d
    if file_size <= 0x3FF:
        return r(NRT_INVALID, "short-header")
    if h["header_size"] >= file_size:
        return r(NRT_INVALID, "header-size-not-below-file-size")
    if h["version_major"] > LIBNRT_MAX_MAJOR:
        return r(NRT_UNSUPPORTED_NEFF_VERSION, "schema-too-new")
    if h["version_major"] == 2:
        bad = h["feature_bits"] & LIBNRT_TRAP
        if bad:
            return r(NRT_UNSUPPORTED_NEFF_VERSION, "unsupported-feature",
                     unknown_mask=hx(bad), unknown_bits=bits_of(bad))
    if file_size - HEADER_SIZE < h["data_size"]:
        return r(NRT_INVALID, "data-size-exceeds-file")
    if h["pkg_version"] not in (1, 2):
        return r(NRT_UNSUPPORTED_NEFF_VERSION, "bad-pkg-version")
    return r(NRT_OK, None, features_examined=h["version_major"] == 2)


def libnrt_cases():
    out = []

    def add(name, file_size=4096, pkg=2, header_size=1024, data_size=3072, major=2, fb=0):
        h = {"pkg_version": pkg, "header_size": header_size, "data_size": data_size,
             "version_major": major, "feature_bits": fb}
        out.append({"name": name, "file_size": file_size, "pkg_version": hx(pkg),
                    "header_size": hx(header_size), "data_size": hx(data_size),
                    "version_major": hx(major), "feature_bits": hx(fb),
                    "expect": libnrt_gate(h, file_size)})

    add("plain")
    add("window-full", fb=LIBNRT_SUPPORTED)
    add("bit-26", fb=1 << 26)
    add("bit-27", fb=1 << 27)
    add("bit-62", fb=1 << 62)
    add("bit-63-never-tested", fb=1 << 63)
    add("bits-63-and-30", fb=(1 << 63) | (1 << 30))
    add("major-1-bypasses-mask", major=1, fb=1 << 40)
    add("major-0-bypasses-mask", major=0, fb=U64)
    add("major-3", major=3)
    add("major-3-beats-mask", major=3, fb=1 << 40)
    add("major-is-64-bit", major=(1 << 32) + 2)
    add("pkg-1", pkg=1)
    add("pkg-0", pkg=0)
    add("pkg-3", pkg=3)
    add("mask-beats-pkg", pkg=3, fb=1 << 27)
    add("data-exactly-fits", data_size=3072)
    add("data-one-too-long", data_size=3073)
    add("data-huge", data_size=U64)
    add("data-short", data_size=10)
    add("file-1023", file_size=1023)
    add("file-1024-header-1024", file_size=1024, data_size=0)
    add("file-1025", file_size=1025, data_size=1)
    add("header-size-not-1024-but-below-file", header_size=512)
    add("header-size-equals-file", header_size=4096)
    add("header-size-huge", header_size=U64)
    return out


# --------------------------------------------------------------------------
# Header layouts
# --------------------------------------------------------------------------

UUID = bytes.fromhex("00112233445546778899aabbccddeeff")  # version 4, variant 10xx


def cstr(text, width):
    raw = text if isinstance(text, bytes) else text.encode("utf-8")
    if len(raw) > width:
        raise ValueError("string too long")
    return raw + b"\0" * (width - len(raw))


def encode_runtime(pkg_version=2, header_size=1024, data_size=0, version_major=1, version_minor=0,
                   build="", unused_0=1, hash_=b"", uuid=UUID, name="", requested_tpb_count=1,
                   tpb_per_node=b"", feature_bits=0, vnc_size=1, mirror=False):
    h = bytearray(HEADER_SIZE)
    struct.pack_into("<QQQQQ", h, 0, pkg_version, header_size, data_size, version_major, version_minor)
    h[40:168] = cstr(build, 128)
    struct.pack_into("<I", h, 168, unused_0)
    h[172:204] = hash_ + b"\0" * (32 - len(hash_))
    h[204:220] = uuid
    h[220:476] = cstr(name, 256)
    struct.pack_into("<I", h, 476, requested_tpb_count)
    h[480:544] = tpb_per_node + b"\0" * (64 - len(tpb_per_node))
    struct.pack_into("<QI", h, 544, feature_bits, vnc_size)
    if mirror:
        if pkg_version != 2:
            raise ValueError("dual layout needs pkg_version 2")
        struct.pack_into("<IQI", h, 188, 0, feature_bits, version_major & U32)
    return bytes(h)


def encode_page(version=2, header_size=1024, section_flag=1, doc_major=1, doc_minor=1, feature_flags=0,
                schema_min=1, uuid=UUID, filename="file.neff", engine_present=b"", cc_field=1, arch_mode=0):
    h = bytearray(HEADER_SIZE)
    struct.pack_into("<QQQQ", h, 0, version, header_size, 0, section_flag)
    struct.pack_into("<I", h, 168, doc_major)
    struct.pack_into("<QI", h, 192, feature_flags, schema_min)
    h[204:220] = uuid
    h[220:475] = cstr(filename, 255)
    struct.pack_into("<I", h, 476, doc_minor)
    h[480:544] = engine_present + b"\0" * (64 - len(engine_present))
    struct.pack_into("<QI", h, 544, cc_field, arch_mode)
    return bytes(h)


def runtime_fields(h):
    pkg, hs, ds, major, minor = struct.unpack_from("<QQQQQ", h, 0)
    fb, vnc = struct.unpack_from("<QI", h, 544)
    return {"pkg_version": pkg, "header_size": hs, "data_size": ds, "version_major": major,
            "version_minor": minor, "unused_0": struct.unpack_from("<I", h, 168)[0],
            "hash": h[172:204], "uuid": h[204:220],
            "requested_tpb_count": struct.unpack_from("<I", h, 476)[0],
            "feature_bits": fb, "vnc_size": vnc}


def hash_tail_kind(h):
    tail = h[188:204]
    if tail == b"\0" * 16:
        return "zero"
    if tail == b"0" * 16:
        return "ascii-zero"
    f = runtime_fields(h)
    z, mask, schema = struct.unpack_from("<IQI", h, 188)
    if z == 0 and mask == f["feature_bits"] and schema == f["version_major"] & U32:
        return "mirror"
    return "other"


def detect_layout(h):
    return "page" if struct.unpack_from("<Q", h, 16)[0] == 0 else "runtime"


def decode(h, layout="auto"):
    """Returns (layout, mask, schema_min) or raises ValueError(code)."""
    if len(h) < HEADER_SIZE:
        raise ValueError("short-header")
    if layout == "auto":
        layout = detect_layout(h)
    if layout == "page":
        return layout, struct.unpack_from("<Q", h, 192)[0], struct.unpack_from("<I", h, 200)[0]
    f = runtime_fields(h)
    return layout, f["feature_bits"], f["version_major"]


def name_text(raw):
    raw = raw.split(b"\0", 1)[0]
    return raw.decode("utf-8", "backslashreplace")


def header_case(name, h, encode_from=None, note=None):
    c = {"name": name, "length": len(h), "header_hex": h.hex()}
    if len(h) < HEADER_SIZE:
        c["expect"] = {"error": "short-header"}
    else:
        layout, mask, schema = decode(h)
        f = runtime_fields(h)
        exp = {"auto_layout": layout, "mask": hx(mask), "schema_min": hx(schema),
               "header_size": hx(f["header_size"]), "pkg_version": hx(f["pkg_version"]),
               "uuid": h[204:220].hex(),
               "name": name_text(h[220:476])}
        probs = []
        if f["pkg_version"] not in (1, 2):
            probs.append("bad-pkg-version")
        if f["header_size"] != HEADER_SIZE:
            probs.append("bad-header-size")
        exp["fatal"] = probs[0] if probs else None
        if layout == "runtime":
            exp["data_size"] = hx(f["data_size"])
            exp["version_minor"] = hx(f["version_minor"])
            exp["build"] = name_text(h[40:168])
            exp["unused_0"] = f["unused_0"]
            exp["requested_tpb_count"] = f["requested_tpb_count"]
            exp["vnc_size"] = f["vnc_size"]
            if f["pkg_version"] == 2:
                exp["hash"] = h[172:188].hex()
                exp["hash_tail"] = hash_tail_kind(h)
            else:
                exp["hash"] = h[172:204].hex()
        else:
            exp["section_flag"] = hx(struct.unpack_from("<Q", h, 24)[0])
            exp["doc_version"] = "%d.%d" % (struct.unpack_from("<I", h, 168)[0],
                                            struct.unpack_from("<I", h, 476)[0])
            exp["cc_field"] = hx(f["feature_bits"])
            exp["arch_mode"] = f["vnc_size"]
        pm = decode(h, "page")
        rm = decode(h, "runtime")
        exp["forced_page"] = {"mask": hx(pm[1]), "schema_min": hx(pm[2])}
        exp["forced_runtime"] = {"mask": hx(rm[1]), "schema_min": hx(rm[2])}
        c["expect"] = exp
    if encode_from:
        c["encode_from"] = encode_from
    if note:
        c["note"] = note
    return c


def header_cases():
    md5 = hashlib.md5(b"payload").digest()
    sha = hashlib.sha256(b"payload").digest()
    out = []
    fixture = encode_runtime(
        pkg_version=2, data_size=0x6AD, version_major=2, version_minor=0,
        build="2.0.21884.0%kaena-tools/develop@6c66f4b", unused_0=1,
        hash_=bytes.fromhex("61b3cab24369b326a2b3ee40a744c746") + b"0" * 16,
        uuid=bytes.fromhex("561826fb125f4bb8991c29e085c8949a"), name="x",
        requested_tpb_count=1, feature_bits=0, vnc_size=1)
    out.append(header_case("published-fixture", fixture, note=(
        "Rebuilt from the published field values of the one real sample; bytes not published are taken as "
        "zero. Reading it with the page offsets yields ASCII filler, not flags.")))

    def rt(case, note=None, **kw):
        h = encode_runtime(**kw)
        enc = {"layout": "dual" if kw.get("mirror") else "runtime"}
        for k, v in sorted(kw.items()):
            if k == "mirror":
                continue
            if isinstance(v, bytes):
                enc[k.rstrip("_") + "_hex"] = v.hex()
            elif isinstance(v, int):
                enc[k] = hx(v)
            else:
                enc[k] = v
        out.append(header_case(case, h, enc, note))

    def pg(case, note=None, **kw):
        h = encode_page(**kw)
        enc = {"layout": "page"}
        for k, v in sorted(kw.items()):
            if isinstance(v, bytes):
                enc[k + "_hex"] = v.hex()
            elif isinstance(v, int):
                enc[k] = hx(v)
            else:
                enc[k] = v
        out.append(header_case(case, h, enc, note))

    rt("runtime-no-features", data_size=2048, hash_=md5, name="plain")
    rt("runtime-0x100", data_size=2048, version_major=2, hash_=md5 + b"0" * 16, feature_bits=0x100)
    rt("runtime-all-assigned", data_size=2048, version_major=2, hash_=md5, feature_bits=ASSIGNED_MASK,
       vnc_size=2)
    rt("runtime-bit-63", data_size=2048, version_major=2, hash_=md5, feature_bits=1 << 63)
    rt("runtime-all-ones", data_size=2048, version_major=2, hash_=md5, feature_bits=U64)
    rt("runtime-major-3", data_size=2048, version_major=3, hash_=md5)
    rt("runtime-major-64-bit", data_size=2048, version_major=(1 << 32) + 2, hash_=md5,
       note="the major is 64 bits wide; truncating it to 32 would read 2")
    rt("runtime-pkg1-sha256", pkg_version=1, data_size=2048, version_major=2, unused_0=0, hash_=sha,
       feature_bits=0x30, note="all 32 hash bytes are digest; forced_page shows the garbage")
    rt("runtime-pkg-9", pkg_version=9, data_size=2048, hash_=md5)
    rt("runtime-header-size-512", header_size=512, data_size=2048, hash_=md5)
    rt("runtime-header-size-huge", header_size=U64, data_size=2048, hash_=md5)
    rt("runtime-data-size-1", data_size=1, hash_=md5)
    rt("runtime-name-256", data_size=2048, hash_=md5, name="n" * 256,
       note="no terminating zero byte")
    rt("runtime-name-not-utf8", data_size=2048, hash_=md5, name=b"caf\xe9",
       note="undecodable bytes are shown as \\xNN")
    rt("dual-0x100", data_size=2048, version_major=2, hash_=md5, feature_bits=0x100, mirror=True)
    rt("dual-no-features", data_size=2048, version_major=1, hash_=md5, feature_bits=0, mirror=True)
    rt("dual-all-assigned", data_size=2048, version_major=2, hash_=md5, feature_bits=ASSIGNED_MASK,
       vnc_size=2, mirror=True)
    pg("page-no-features")
    pg("page-0x100", feature_flags=0x100, schema_min=2, filename="model.neff")
    pg("page-all-assigned", feature_flags=ASSIGNED_MASK, schema_min=2, engine_present=b"\x01" * 5)
    pg("page-schema-3", feature_flags=0x2, schema_min=3)
    pg("page-schema-is-32-bit", feature_flags=0x2, schema_min=2, uuid=b"\xff" * 16,
       note="the UUID starts at +204, so the schema field can only be 32 bits wide")
    pg("page-bit-40", feature_flags=1 << 40, schema_min=2)
    z = bytearray(HEADER_SIZE)
    struct.pack_into("<Q", z, 192, 0x4002)
    out.append(header_case("only-a-mask", bytes(z), note="everything else zero: auto picks the page layout"))
    out.append(header_case("all-zero", bytes(HEADER_SIZE)))
    out.append(header_case("all-ff", b"\xff" * HEADER_SIZE))
    out.append(header_case("empty", b""))
    out.append(header_case("one-byte-short", fixture[:-1]))
    out.append(header_case("longer-than-1024", fixture + b"\x1f\x8b\x08\x00",
                           note="bytes past 1024 are payload and not part of the header"))
    return out


# --------------------------------------------------------------------------
# Named array against mask
# --------------------------------------------------------------------------

MISSING = object()


def finding(code, where, what=None):
    return {"code": code, "severity": SEVERITY[code], "where": where,
            "what": None if what is None else str(what)}


def check(mask, schema_min, cores, vnc_size=None, arch=None):
    """cores: list of (path, value) where value is the JSON value or MISSING."""
    out = []
    listed_per_core = []
    for path, value in cores:
        listed = set()
        if value is MISSING:
            out.append(finding("features-key-missing", path))
            value = []
        elif not isinstance(value, list):
            out.append(finding("features-not-array", path))
            value = []
        seen, dup, order = set(), set(), []
        for i, item in enumerate(value):
            if not isinstance(item, str):
                out.append(finding("feature-not-string", path, "[%d]" % i))
                continue
            if item in seen:
                dup.add(item)
                continue
            seen.add(item)
            if item in NAME_TO_BIT:
                bit = NAME_TO_BIT[item]
                order.append(CANON_INDEX[item])
                listed.add(bit)
            elif item in ALIASES:
                bit = NAME_TO_BIT[ALIASES[item]]
                order.append(CANON_INDEX[ALIASES[item]])
                listed.add(bit)
                out.append(finding("alias-name", path, item))
            elif item in HEADER_ONLY:
                bit = HEADER_ONLY[item]
                out.append(finding("header-only-name", path, item))
            else:
                out.append(finding("unknown-name", path, item))
                continue
            if not (mask >> bit) & 1:
                out.append(finding("name-without-bit", path, item))
        for d in dup:
            out.append(finding("duplicate-name", path, d))
        if any(a > b for a, b in zip(order, order[1:])):
            out.append(finding("name-order", path))
        listed_per_core.append((path, listed))
    if not cores:
        out.append(finding("def-json-missing", "archive"))
    else:
        for bit, name in NAMED:
            if not (mask >> bit) & 1:
                continue
            have = [p for p, l in listed_per_core if bit in l]
            if not have:
                out.append(finding("bit-without-name", "header", hx(1 << bit)))
            elif len(have) != len(listed_per_core):
                for p, l in listed_per_core:
                    if bit not in l:
                        out.append(finding("partial-core-names", p, name))
    for b in bits_of(mask & ~ASSIGNED_MASK):
        out.append(finding("unassigned-bit", "header", hx(1 << b)))
    if mask and schema_min < 2:
        out.append(finding("schema-too-low", "header", schema_min))
    if not mask and schema_min >= 2:
        out.append(finding("schema-without-features", "header", schema_min))
    if schema_min > 2:
        out.append(finding("schema-unknown", "header", schema_min))
    if vnc_size is not None and bool((mask >> 10) & 1) != (vnc_size > 1):
        out.append(finding("vnc-size-mismatch", "header", vnc_size))
    if arch is not None:
        if (mask >> 11) & 1 and arch <= 20:
            out.append(finding("arch-bit-mismatch", "header", hx(1 << 11)))
        if bool((mask >> 24) & 1) != (arch > 39):
            out.append(finding("arch-bit-mismatch", "header", hx(1 << 24)))
    return sort_findings(out)


def sort_findings(fs):
    return sorted(fs, key=lambda f: (f["code"], f["where"], f["what"] or ""))


def check_cases():
    out = []
    P = "sg00/def.json"

    def add(name, mask, schema, cores, vnc_size=None, arch=None):
        exp = check(mask, schema, cores, vnc_size, arch)
        jc = []
        for path, v in cores:
            jc.append({"path": path, "key_present": v is not MISSING,
                       "value": None if v is MISSING else v})
        out.append({"name": name, "mask": hx(mask), "schema_min": schema, "cores": jc,
                    "vnc_size": vnc_size, "arch": arch, "expect": exp})

    full = [n for _b, n in NAMED]
    add("clean-empty", 0, 1, [(P, [])])
    add("clean-empty-major-2", 0, 2, [(P, [])])
    add("clean-one", 0x4, 2, [(P, ["neff_feature_custom_ops"])])
    add("clean-all-named", NAMED_MASK, 2, [(P, full)])
    add("clean-all-assigned", ASSIGNED_MASK, 2, [(P, full)], vnc_size=2, arch=40)
    add("clean-header-only-bits", 0x1000 | 0x200000, 2, [(P, [])])
    add("name-without-bit", 0x4, 2, [(P, ["neff_feature_custom_ops", "neff_has_functions"])])
    add("bit-without-name", 0x24, 2, [(P, ["neff_feature_custom_ops"])])
    add("both-ways", 0x4, 2, [(P, ["neff_has_functions"])])
    add("unknown-name", 0x4, 2, [(P, ["neff_feature_custom_ops", "neff_feature_time_travel"])])
    add("case-matters", 0x4, 2, [(P, ["NEFF_FEATURE_CUSTOM_OPS"])])
    add("header-only-name", 0x1000, 2, [(P, ["neff_feature_DGE"])])
    add("header-only-name-without-bit", 0x0, 1, [(P, ["neff_feature_DGE"])])
    add("non-feature-attribute-name", 0x0, 1, [(P, ["neuron_core_id"])])
    add("alias", 0x2, 2, [(P, ["neff_collective_has_offset"])])
    add("alias-and-name", 0x2, 2, [(P, ["collective_has_offset", "neff_collective_has_offset"])])
    add("duplicate", 0x4, 2, [(P, ["neff_feature_custom_ops"] * 3)])
    add("order", 0x24, 2, [(P, ["neff_has_functions", "neff_feature_custom_ops"])])
    add("key-missing-no-bits", 0, 1, [(P, MISSING)])
    add("key-missing-bits", 0x4, 2, [(P, MISSING)])
    add("not-array-string", 0x4, 2, [(P, "neff_feature_custom_ops")])
    add("not-array-null", 0, 1, [(P, None)])
    add("not-array-object", 0, 1, [(P, {})])
    add("elements-not-strings", 0x4, 2, [(P, [1, "neff_feature_custom_ops", None, True, ["x"]])])
    add("no-def-json", 0x4, 2, [])
    add("unassigned-bits", 0x1 | 1 << 18 | 1 << 26 | 1 << 63, 2, [(P, [])])
    add("schema-too-low", 0x1000, 1, [(P, [])])
    add("schema-zero", 0x1000, 0, [(P, [])])
    add("schema-three", 0x1000, 3, [(P, [])])
    add("vnc-size-1-bit-set", 0x400, 2, [(P, ["neff_feature_vnc"])], vnc_size=1)
    add("vnc-size-2-bit-clear", 0, 1, [(P, [])], vnc_size=2)
    add("vnc-ok", 0x400, 2, [("sg00/def.json", ["neff_feature_vnc"]),
                             ("sg01/def.json", ["neff_feature_vnc"])], vnc_size=2)
    add("arch-gen2-with-dve-bit", 0x800, 2, [(P, [])], arch=20)
    add("arch-gen3-ok", 0x800, 2, [(P, [])], arch=30)
    add("arch-gen3-dve-disabled-ok", 0x10, 2, [(P, ["neff_queue_set_instances"])], arch=30)
    add("arch-gen3-with-gen4-bit", 0x1000800, 2, [(P, [])], arch=30)
    add("arch-gen4-without-its-bit", 0x800, 2, [(P, [])], arch=40)
    add("two-cores-last-wins", 0x500, 2,
        [("sg00/def.json", ["neff_feature_custom_ops", "neff_feature_indirect_memcpy_bound_check",
                            "neff_feature_vnc"]),
         ("sg01/def.json", ["neff_feature_indirect_memcpy_bound_check", "neff_feature_vnc"])], vnc_size=2)
    add("two-cores-union", 0x504, 2,
        [("sg00/def.json", ["neff_feature_custom_ops", "neff_feature_indirect_memcpy_bound_check",
                            "neff_feature_vnc"]),
         ("sg01/def.json", ["neff_feature_indirect_memcpy_bound_check", "neff_feature_vnc"])], vnc_size=2)
    return out


# --------------------------------------------------------------------------
# Loader log lines
# --------------------------------------------------------------------------

OLD_LOG = re.compile(
    r"NEFF version:\s*(\d+)\.(\d+),\s*features:\s*(0x[0-9a-fA-F]+)\s+are not supported\.\s*"
    r"Currently supporting:\s*(0x[0-9a-fA-F]+)")
NEW_LOG = re.compile(
    r"NEFF \(version:\s*(\d+)\.(\d+),\s*features:\s*(0x[0-9a-fA-F]+)\)\s+has been compiled by a newer.*?"
    r"supported by this Neuron Runtime:\s*(0x[0-9a-fA-F]+)", re.S)
RANGE_LOG = re.compile(
    r"NEFF version:\s*(\d+)\.(\d+) is not supported,\s*accepted version range:\s*(\d+)\.x-(\d+)\.x")


def explain(text):
    hits = []
    for kind, rx in (("old", OLD_LOG), ("new", NEW_LOG), ("range", RANGE_LOG)):
        for m in rx.finditer(text):
            if kind == "range":
                hits.append((m.start(), {"form": "range", "version": "%s.%s" % (m.group(1), m.group(2)),
                                         "accepted_major_min": int(m.group(3)),
                                         "accepted_major_max": int(m.group(4))}))
                continue
            feats, sup = int(m.group(3), 16), int(m.group(4), 16)
            if feats > U64 or sup > U64:
                continue
            missing = feats & ~sup & U64
            hits.append((m.start(), {"form": kind, "version": "%s.%s" % (m.group(1), m.group(2)),
                                     "features": hx(feats), "supported": hx(sup),
                                     "missing": hx(missing),
                                     "missing_labels": [bit_label(b) for b in bits_of(missing)]}))
    return [h for _p, h in sorted(hits, key=lambda t: t[0])]


def log_cases():
    out = []

    def add(name, text, note=None):
        c = {"name": name, "text": text, "expect": explain(text)}
        if note:
            c["note"] = note
        out.append(c)

    add("old-form-0xff",
        "ERROR NEFF:neff_parse NEFF version: 2.0, features: 0x100 are not supported.  "
        "Currently supporting: 0x80000000000000ff", "values as in aws-neuron-sdk issues 820 and 823")
    add("old-form-0x1f",
        "ERROR  NEFF:neff_parse    NEFF version: 2.0, features: 0x100 are not supported.  "
        "Currently supporting: 0x800000000000001f", "values as in aws-neuron-sdk issue 1061")
    add("new-form",
        "This NEFF (version: 2.0, features: 0x8000000) has been compiled by a newer version of Neuron "
        "compiler. Features supported by this Neuron Runtime: 0x7ffffff. Please update.",
        "synthetic values in the newer wording")
    add("range-form", "NEFF version: 3.0 is not supported, accepted version range: 0.x-2.x")
    add("glued-lines",
        "err: 10Failed to load NN: a.neff, err: 10NEFF version: 2.0, features: 0x100 are not supported.  "
        "Currently supporting: 0x80000000000000ff2024 NEFF version: 2.0, features: 0x3000 are not supported."
        "\nCurrently supporting: 0xff",
        "threads interleave their output; a digit glued to the mask makes a number above 64 bits, which is "
        "dropped rather than wrapped")
    add("several-bits",
        "NEFF version: 2.0, features: 0x1400800 are not supported. Currently supporting: 0x7ff")
    add("unrelated", "nrt_load status=2, error message=\"Invalid argument\"")
    return out


# --------------------------------------------------------------------------
# Document
# --------------------------------------------------------------------------

def build():
    bits = []
    for i, (bit, src, ordinal, name) in enumerate(ASSEMBLY):
        bits.append({
            "bit": bit, "mask": hx(1 << bit), "assembly_index": i, "source": src, "ordinal": ordinal,
            "attribute": None if ordinal is None else MODULE_ATTRIBUTES[ordinal],
            "def_json_name": name, "named": bool(name), "label": bit_label(bit),
        })
    ord_bit = {o: b for b, s, o, _n in ASSEMBLY if s == "attribute"}
    attrs = [{"ordinal": o, "name": n, "feature": o in ord_bit,
              "bit": ord_bit.get(o), "mask": hx(1 << ord_bit[o]) if o in ord_bit else None}
             for o, n in enumerate(MODULE_ATTRIBUTES)]
    render = []
    for m in (0, 0x2, 0x100, NAMED_MASK, ASSIGNED_MASK, ASSIGNED_MASK ^ NAMED_MASK, 1 << 63 | 1, U64):
        render.append({"mask": hx(m), "bits": bits_of(m), "labels": [bit_label(b) for b in bits_of(m)],
                       "named": [n for b, n in NAMED if (m >> b) & 1],
                       "unassigned_mask": hx(m & ~ASSIGNED_MASK & U64)})
    return {
        "format": FORMAT,
        "note": ("Reference: NEFF feature reference. 64-bit values are hex strings. Findings are sorted by "
                 "code, then where, then what (null sorts as the empty string)."),
        "constants": {
            "header_size": HEADER_SIZE,
            "assigned_mask": hx(ASSIGNED_MASK), "named_mask": hx(NAMED_MASK),
            "header_only_mask": hx(ASSIGNED_MASK ^ NAMED_MASK),
            "assigned_count": len(ASSEMBLY), "named_count": len(NAMED),
            "gap_bits_in_loader_window": [b for b in range(27) if not (ASSIGNED_MASK >> b) & 1],
            "libnrt_trap_mask": hx(LIBNRT_TRAP), "libnrt_supported_mask": hx(LIBNRT_SUPPORTED),
            "libnrt_max_major": LIBNRT_MAX_MAJOR, "initial_schema": 1, "raised_schema": 2,
            "nrt_invalid": NRT_INVALID, "nrt_unsupported_neff_version": NRT_UNSUPPORTED_NEFF_VERSION,
        },
        "runtime_profiles": [
            {"name": "libnrt-2.31.24", "supported": hx(LIBNRT_SUPPORTED), "max_schema": 2,
             "basis": "disassembly notes of that library"},
            {"name": "public-0xff", "supported": "0xff", "printed": "0x80000000000000ff", "max_schema": 2,
             "basis": "mask printed in public reports of January 2024; bit 63 dropped"},
            {"name": "public-0x1f", "supported": "0x1f", "printed": "0x800000000000001f", "max_schema": 2,
             "basis": "mask printed in a public report of December 2024 (container of SDK 2.17); bit 63 dropped"},
        ],
        "bits": bits,
        "module_attributes": attrs,
        "value_arms": VALUE_ARMS,
        "name_aliases": ALIASES,
        "severities": SEVERITY,
        "arch_levels": [{"level": l, "generation": g, "ir_name": a, "runtime_name": r, "marketed": x,
                         "core": c, "aliases": al} for l, g, a, r, x, c, al in ARCH_LEVELS],
        "kelf_targets": KELF_TARGETS,
        "render_cases": render,
        "module_cases": module_cases(),
        "package_cases": package_cases(),
        "gate_cases": gate_cases(),
        "libnrt_gate_cases": libnrt_cases(),
        "header_cases": header_cases(),
        "check_cases": check_cases(),
        "log_cases": log_cases(),
    }


def self_test():
    assert len(MODULE_ATTRIBUTES) == 23
    assert len(ASSEMBLY) == 22 and len({b for b, _s, _o, _n in ASSEMBLY}) == 22
    assert sum(1 for r in ASSEMBLY if r[1] == "attribute") == 18
    assert len(NAMED) == 11 and len(HEADER_ONLY) == 9
    assert ASSIGNED_MASK == 0x373FFFE, hx(ASSIGNED_MASK)
    assert NAMED_MASK == 0x47FE, hx(NAMED_MASK)
    assert LIBNRT_TRAP & LIBNRT_SUPPORTED == 0
    assert LIBNRT_TRAP | LIBNRT_SUPPORTED == U64 >> 1
    assert ASSIGNED_MASK & ~LIBNRT_SUPPORTED == 0
    assert [b for b, _n in NAMED] == sorted(b for b, _n in NAMED)
    # a loader that only looks at the mask when the major is 2 needs this:
    for c in module_cases():
        if int(c["expect"]["mask"], 16):
            assert c["expect"]["schema_min"] >= 2
    for kw in ({}, {"mirror": True}):
        h = encode_runtime(data_size=5, version_major=2, feature_bits=0x4102, **kw)
        assert len(h) == 1024 and decode(h) == ("runtime", 0x4102, 2)
    assert decode(encode_page(feature_flags=0x4102, schema_min=2)) == ("page", 0x4102, 2)


def render_document():
    return json.dumps(build(), indent=1, ensure_ascii=True) + "\n"


def main(argv=None):
    here = os.path.dirname(os.path.abspath(__file__))
    default = os.path.join(here, "neff-features.json")
    ap = argparse.ArgumentParser(description="write or check neff-features.json")
    ap.add_argument("--out", default=default)
    ap.add_argument("--check", nargs="?", const=default, default=None, metavar="FILE")
    args = ap.parse_args(argv)
    self_test()
    text = render_document()
    if args.check is not None:
        try:
            with open(args.check, "r", encoding="ascii", newline="") as f:
                same = f.read() == text
        except OSError as e:
            print("cannot read: %s" % e.strerror, file=sys.stderr)
            return 1
        print("ok" if same else "DIFFERS")
        return 0 if same else 1
    with open(args.out, "w", encoding="ascii", newline="") as f:
        f.write(text)
    doc = json.loads(text)
    print("wrote %d bytes: %s" % (len(text), ", ".join(
        "%d %s" % (len(doc[k]), k) for k in doc if k.endswith("_cases"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
