// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.cli.output.Line;
import dev.verbatim.verbs.Gid;
import java.util.Locale;

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
    Line line() {
        return new SideLine(
                side,
                processId,
                gid.toString(),
                qpNumber,
                String.format(Locale.ROOT, "0x%x", address),
                lengthBytes,
                String.format(Locale.ROOT, "0x%08x", rkey));
    }

    private record SideLine(
            String side, long processId, String gid, int qp, String address, int lengthBytes, String rkey)
            implements Line {}

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
