// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.interop.InteropException;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Runs all cases in both directions, with new devices for each. */
public final class Walk {

    /** Receives the outcome of each case. */
    public interface Report {

        /**
         * A case has ended.
         *
         * @param name of the case, with who was the requester
         * @param outcome {@code ok}, {@code FAILED} or {@code avoided}
         * @param detail the status that was expected, what happened instead, or why it was avoided
         */
        void ended(String name, String outcome, String detail);
    }

    /** 0.5 s: an emulated machine is slow. */
    private static final int TIMEOUT_OF_GUESTS = 17;

    private static final int TIMEOUT = 12;

    private final Supplier<WalkNode> own;
    private final Supplier<WalkNode> peer;
    private final boolean peerIsRxe;
    private final Duration patience;
    private final int timeout;
    private int failures;

    private Walk(Supplier<WalkNode> own, Supplier<WalkNode> peer, boolean peerIsRxe, Duration patience, int timeout) {
        this.own = own;
        this.peer = peer;
        this.peerIsRxe = peerIsRxe;
        this.patience = patience;
        this.timeout = timeout;
    }

    /**
     * Between devices that {@code devices} opens and soft-RoCE devices behind an agent.
     *
     * @param devices opens a device, which is closed after the case
     * @param agent where the agent listens
     * @param patience longest wait for a completion
     */
    public static Walk withAgent(Supplier<Device> devices, InetSocketAddress agent, Duration patience) {
        return new Walk(
                () -> new LocalNode(devices.get()), () -> new AgentNode(agent), true, patience, TIMEOUT_OF_GUESTS);
    }

    /** Between devices of this JVM. */
    public static Walk between(Supplier<Device> devices, Supplier<Device> others, Duration patience) {
        return new Walk(
                () -> new LocalNode(devices.get()), () -> new LocalNode(others.get()), false, patience, TIMEOUT);
    }

    /**
     * Runs the cases whose name matches.
     *
     * @return how many failed
     */
    public int run(Pattern names, Report report) {
        failures = 0;
        for (WalkCase one : WalkCases.all()) {
            for (boolean peerAnswers : new boolean[] {true, false}) {
                String name = one.name() + (peerAnswers ? ", peer answers" : ", peer requests");
                if (names.matcher(name).find()) {
                    run(one, name, peerAnswers, report);
                }
            }
        }
        return failures;
    }

    private void run(WalkCase one, String name, boolean peerAnswers, Report report) {
        boolean ofRxe = peerIsRxe && peerAnswers;
        String avoided = !peerIsRxe ? null : peerAnswers ? one.notToRxe() : one.notByRxe();
        if (avoided != null) {
            report.ended(name, "avoided", avoided);
            return;
        }
        WcStatus wanted = one.expected(ofRxe);
        try (WalkNode local = own.get();
                WalkNode other = peer.get()) {
            WalkSides sides =
                    new WalkSides(peerAnswers ? local : other, peerAnswers ? other : local, patience, timeout);
            WcStatus found = one.work().run(sides);
            if (found == wanted) {
                report.ended(name, "ok", wanted.name());
            } else {
                failed(name, "expected " + wanted + " and found " + found, report);
            }
        } catch (InteropException | VerbsException e) {
            failed(name, String.valueOf(e.getMessage()), report);
        }
    }

    private void failed(String name, String detail, Report report) {
        failures++;
        report.ended(name, "FAILED", detail);
    }
}
