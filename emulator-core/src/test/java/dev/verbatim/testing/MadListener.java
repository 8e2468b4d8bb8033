// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Who speaks for a device's queue pair 1 in a test: writes down what it is told. */
public final class MadListener implements ManagementAgent {

    private final List<String> heard = new ArrayList<>();
    private Runnable lastWord = () -> {};

    /** Sends this when the device closes. */
    public void lastWord(ManagementPort port, Gid destination, Octets mad) {
        lastWord = () -> port.send(destination, mad);
    }

    /** What it was told so far: a datagram with its source, {@code lost} and a peer, {@code closed}. */
    public synchronized List<String> heard() {
        return List.copyOf(heard);
    }

    private synchronized void note(String what) {
        heard.add(what);
    }

    /** Waits until something is so; the condition may send something each time that it is asked. */
    public void await(BooleanSupplier condition) {
        Await.attempts("datagrams, or news of peers", condition, this::heard);
    }

    @Override
    public void received(Gid source, Octets mad) {
        note(source + " " + mad);
    }

    @Override
    public void carrierLost(Gid peer, boolean isGone) {
        note("lost " + peer);
    }

    @Override
    public void deviceClosed() {
        note("closed");
        lastWord.run();
    }
}
