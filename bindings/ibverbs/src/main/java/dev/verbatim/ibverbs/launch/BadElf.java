// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

/** A file is no ELF file, or is malformed; the message says what is wrong in it. */
final class BadElf extends Exception {

    private static final long serialVersionUID = 1L;

    BadElf(String message) {
        super(message);
    }
}
