// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a trace as JSON lines, so that runs can be compared byte for byte. */
public final class TraceHash implements Tap {

    private static final int WHOLE_PAYLOAD_BYTES = 1 << 16;

    private final MessageDigest digest;
    private final JsonLinesTap lines;

    /** Of an empty trace. */
    public TraceHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        lines = new JsonLinesTap(new DigestOutputStream(OutputStream.nullOutputStream(), digest), WHOLE_PAYLOAD_BYTES);
    }

    @Override
    public void on(TraceEvent event) {
        lines.on(event);
    }

    /** The hash in hexadecimal; the trace ends with it. */
    public String end() {
        lines.close();
        return HexFormat.of().formatHex(digest.digest());
    }
}
