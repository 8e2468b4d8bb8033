// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.RcConnection;
import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.verbs.Gid;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What one side tells the other before they can talk.
 *
 * @param side its name
 * @param processId of its JVM
 * @param gid of its device
 * @param qpNumber of its queue pair
 * @param psn that it sends first
 * @param address of its region
 * @param lengthBytes of its region
 * @param rkey of its region
 */
public record Facts(
        String side, long processId, Gid gid, int qpNumber, int psn, long address, int lengthBytes, int rkey) {

    private static final String SIDE = "side";
    private static final String PROCESS = "pid";

    /** Reads what {@link #addTo} wrote. */
    static Facts of(Endpoint line) {
        return new Facts(
                line.text(SIDE),
                line.number(PROCESS),
                line.gid(Endpoint.GID),
                (int) line.number(Endpoint.QPN),
                (int) line.number(Endpoint.PSN),
                line.number(Endpoint.ADDRESS),
                (int) line.number(Endpoint.LENGTH_BYTES),
                (int) line.number(Endpoint.RKEY));
    }

    /** The line with all of this added. */
    Endpoint addTo(Endpoint line) {
        return line.with(SIDE, side)
                .with(PROCESS, processId)
                .with(Endpoint.GID, gid)
                .with(Endpoint.QPN, qpNumber)
                .with(Endpoint.PSN, psn)
                .with(Endpoint.ADDRESS, address)
                .with(Endpoint.LENGTH_BYTES, lengthBytes)
                .with(Endpoint.RKEY, Integer.toUnsignedLong(rkey));
    }

    /** The part of it that a queue pair needs. */
    RcConnection.Endpoint endpoint() {
        return new RcConnection.Endpoint(gid, qpNumber, psn);
    }

    /** The same for a program. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "side");
        json.put("side", side);
        json.put("processId", processId);
        json.put("gid", gid.toString());
        json.put("qp", qpNumber);
        json.put("psn", psn);
        json.put("address", String.format(Locale.ROOT, "0x%x", address));
        json.put("lengthBytes", lengthBytes);
        json.put("rkey", String.format(Locale.ROOT, "0x%08x", rkey));
        return json;
    }

    /** The same for a reader; the process is said elsewhere. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-5s  gid %s  qp 0x%x  %d B at 0x%x  rkey 0x%x",
                side,
                gid,
                qpNumber,
                lengthBytes,
                address,
                rkey);
    }
}
