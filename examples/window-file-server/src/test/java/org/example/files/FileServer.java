// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.files;

import dev.verbatim.RcPeer;
import dev.verbatim.sim.Node;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;

/**
 * A server that has one file at a time in its buffer, and lets one client READ it through a memory window: the client gets a key for these
 * bytes alone, which ends when the server takes it back.
 */
final class FileServer {

    /** When the buffer is filled with the next file. */
    enum Reuse {
        /** When the invalidation of the key has completed: from then on no READ by the old key touches the buffer [MW-92]. */
        WHEN_REVOKED,
        /** When the invalidation is posted: the planted mistake, since the key is good until it is executed. */
        WHEN_POSTED
    }

    static final int FILE_BYTES = 16;

    private static final int KEY = 0x41, REPLY = 0;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final RcPeer peer;
    private final MemoryRegion buffer;
    private final MemoryWindow window;
    private int rkey;

    FileServer(RcPeer peer) {
        this.peer = peer;
        buffer = peer.pd().register(Memory.allocate(FILE_BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        window = peer.pd().allocateWindow(MemoryWindowType.TYPE_2);
    }

    /** Fills the buffer; every word of a file is its number. */
    void load(Node node, long file) {
        for (int at = 0; at < FILE_BYTES; at += 8) {
            node.store(buffer.memory(), at, file);
        }
    }

    /** Binds the window and sends address and key: binds and sends of one queue pair are executed in order. */
    void grant() {
        SendWorkRequest bind = SendWorkRequest.bindWindow(
                1, window, KEY, new BindInfo(buffer, buffer.address(), FILE_BYTES, AccessFlags.REMOTE_READ));
        peer.qp().postSend(bind);
        rkey = bind.boundKey();
        peer.memory().buffer().putLong(REPLY, buffer.address()).putInt(REPLY + 8, rkey);
        peer.qp().postSend(peer.send(2, REPLY, 12));
        for (int i = 0; i < 2; i++) {
            WorkCompletion completion = peer.sent().awaitCompletion(PATIENCE);
            if (!completion.isSuccess()) {
                throw new IllegalStateException(completion.explanation());
            }
        }
    }

    /** Takes the key back. A client that READs by it afterwards ends its own connection, and with it the request that takes it back. */
    void revoke(Reuse reuse) {
        peer.qp().postSend(SendWorkRequest.localInvalidate(3, rkey));
        if (reuse == Reuse.WHEN_REVOKED) {
            WcStatus status = peer.sent().awaitCompletion(PATIENCE).status();
            if (status != WcStatus.SUCCESS && status != WcStatus.WR_FLUSH_ERR) {
                throw new IllegalStateException(status.toString());
            }
        }
    }
}
