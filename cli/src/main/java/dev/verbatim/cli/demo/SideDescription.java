// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.verbs.Gid;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is to be known of one side once the two are connected: what it told, and what the connection says.
 *
 * @param side its name
 * @param processId of its JVM
 * @param gid of its device
 * @param qpNumber of its queue pair, the first if there were several
 * @param address of its region
 * @param lengthBytes of its region
 * @param rkey of its region
 */
record SideDescription(String side, long processId, Gid gid, int qpNumber, long address, int lengthBytes, int rkey) {

    static SideDescription of(String side, Gid gid, int qpNumber, DemoPrivateData greeting) {
        return new SideDescription(
                side, greeting.processId(), gid, qpNumber, greeting.address(), greeting.lengthBytes(), greeting.rkey());
    }

    /** The same for a program. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "side");
        json.put("side", side);
        json.put("processId", processId);
        json.put("gid", gid.toString());
        json.put("qp", qpNumber);
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
                "%-5s  gid %s  qp 0x%x  %d B at 0x%x  rkey 0x%08x",
                side,
                gid,
                qpNumber,
                lengthBytes,
                address,
                rkey);
    }
}
