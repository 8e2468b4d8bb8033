// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.verbs.Gid;

/**
 * What the connections of a device are to its port (AE-11). They are its one cable: the port is up at first, though nobody has
 * been dialled; it is down when the last connection that there was ends and this end did not close it, and up again with the next.
 * A peer that closed its device and one that was killed cannot be distinguished, since the operating system closes the sockets
 * of both; a cable does not distinguish them either. A connection whose place another one takes is no end. All on the
 * lane.
 */
public final class Carrier {

    private final PacketSink sink;
    private int connected;
    private boolean present = true;
    private boolean plugged = true;

    public Carrier(PacketSink sink) {
        this.sink = sink;
    }

    /** The cable is taken away, or is back: it is then as at first, whether there are connections or not. */
    void plug(boolean value) {
        plugged = value;
        change(value);
    }

    /** Whether there may be connections. */
    boolean isPlugged() {
        return plugged;
    }

    /** A link that had no connection has one. */
    void connected() {
        connected++;
        change(true);
    }

    /** The connection of a link has ended by itself. */
    void broken() {
        connected--;
        if (connected == 0) {
            change(false);
        }
    }

    /** The connection of a link was closed here. */
    void closed() {
        connected--;
    }

    /** The link has another connection than before. */
    void resumed(Link link) {
        sink.linkResumed(link);
    }

    /** The connection to a peer has ended, and none has taken its place in time, or the peer itself is gone. */
    void lost(Gid peer, boolean isGone) {
        sink.carrierLost(peer, isGone);
    }

    private void change(boolean now) {
        if (present != now) {
            present = now;
            sink.carrierChanged(now);
        }
    }
}
