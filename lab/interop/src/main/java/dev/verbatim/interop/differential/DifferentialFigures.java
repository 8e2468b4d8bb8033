// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.verbs.WrOpcode;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What was played, counted. */
public final class DifferentialFigures {

    private long programs;
    private long operations;
    private long byPeer;
    private long failing;
    private long atomics;
    private long windows;
    private long lost;
    private long deviating;
    private long repeated;
    private long differing;
    private long judged;
    private final Map<FlowType, Long> byType = new EnumMap<>(FlowType.class);

    DifferentialFigures() {}

    void played(Program program) {
        programs++;
        operations += program.operations();
        for (Flow flow : program.flows()) {
            long count = flow.requests().size();
            windows += flow.windowType() > 0 ? 1 : 0;
            for (FlowRequest request : flow.requests()) {
                atomics += request.isAtomic() ? 1 : 0;
                windows += request.throughWindow() || request.opcode() == WrOpcode.SEND_WITH_INV ? 1 : 0;
            }
            if (flow.ending().isFailure()) {
                count += 1 + flow.behind().size();
                failing += 1 + flow.behind().size();
            }
            count += flow.windowType() > 0 ? 1 : 0;
            byPeer += flow.peerRequests() ? count : 0;
            byType.merge(flow.type(), count, Long::sum);
        }
    }

    void lost() {
        lost++;
    }

    void repeated() {
        repeated++;
    }

    void deviated() {
        deviating++;
    }

    void differed() {
        differing++;
    }

    void judged(long checks) {
        judged += checks;
    }

    /** Requests so far. */
    public long operations() {
        return operations;
    }

    /** Programs whose outcome was none that was expected. */
    public long differing() {
        return differing;
    }

    private String share(long count) {
        return String.format(Locale.ROOT, "%.0f %%", operations == 0 ? 0.0 : 100.0 * count / operations);
    }

    private String share(FlowType type) {
        return share(byType.getOrDefault(type, 0L));
    }

    /** One line. */
    @Override
    public String toString() {
        return operations + " operations in " + programs + " programs: " + share(byPeer) + " by the peer; RC "
                + share(FlowType.RC) + ", SRQ " + share(FlowType.SRQ) + ", UC " + share(FlowType.UC) + ", UD "
                + share(FlowType.UD) + "; failing or behind a failure " + share(failing) + ", windows "
                + share(windows) + ", atomics " + share(atomics) + "; " + judged + " checks of the oracle; " + lost
                + " flows lost a datagram, " + deviating + " showed a known deviation, " + repeated
                + " programs were played again, " + differing
                + " differ";
    }
}
