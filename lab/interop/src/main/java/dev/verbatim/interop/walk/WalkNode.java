// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.Optional;

/**
 * A device that carries out verbs: one of this JVM, or one behind an agent. Objects are named by numbers, which each
 * node counts from 0. Methods throw {@link dev.verbatim.interop.InteropException} if a verb is refused.
 */
public interface WalkNode extends AutoCloseable {

    /** How far neighbouring bytes of {@link #pattern} are apart. */
    int PATTERN_STEP = 7;

    /**
     * Registered memory.
     *
     * @param number of the region
     * @param address of its first byte
     * @param lkey of the region
     * @param rkey of the region; 0 if it grants nothing
     */
    record Region(int number, long address, int lkey, int rkey) {

        /** Part of it, as an element of a request. */
        public Sge sge(int offset, int lengthBytes) {
            return new Sge(address + offset, lengthBytes, lkey);
        }
    }

    /**
     * A queue pair.
     *
     * @param number of the queue pair among those of the node
     * @param qpNumber that the peer needs
     */
    record Pair(int number, int qpNumber) {}

    /**
     * A completion.
     *
     * @param id of the request
     * @param status how it ended; the values behind it count only with SUCCESS
     * @param opcode number of what completed
     * @param lengthBytes received bytes, with the 40 of a GRH
     * @param immediateOrKey immediate data, or the key that was invalidated
     */
    record Done(long id, WcStatus status, int opcode, long lengthBytes, int immediateOrKey) {}

    /**
     * A connection as one side sees it.
     *
     * @param gid of the peer
     * @param qpNumber of the peer; of UD the Q_Key
     * @param access rights that the peer gets
     * @param timeout ACK timeout code
     * @param retries after timeouts
     * @param rnrRetries after RNR NAKs
     * @param mtu path MTU
     */
    record Connection(Gid gid, int qpNumber, int access, int timeout, int retries, int rnrRetries, PathMtu mtu) {}

    /**
     * Returns when everything that was asked for is done: what has no result may otherwise still be under way.
     *
     * @throws dev.verbatim.interop.InteropException if some of it was refused
     */
    void settle();

    /** GID of its port. */
    Gid gid();

    Region register(int lengthBytes, int access);

    void deregister(Region region);

    /** Allocates a window of type 1 or 2, and returns its number. */
    int allocateWindow(int type);

    /** Posts a bind and returns the key that it gives. */
    int bind(Pair pair, int window, Region region, int offset, int lengthBytes, int access);

    /** Creates the shared receive queue. */
    void createSrq();

    Pair createQp(QpType type, boolean shared);

    /** RESET to RTS, with first PSN 0 on both sides. */
    void connect(Pair pair, Connection connection);

    /** Posts a receive, to the shared receive queue if {@code shared}. */
    void postReceive(Pair pair, long id, Sge element, boolean shared);

    void postSend(Pair pair, SendWorkRequest request);

    /** Posts a SEND, with or without immediate data, to any queue pair of type UD. */
    void postDatagram(Pair pair, SendWorkRequest request, Gid gid, int qpNumber, int queueKey);

    /** Waits for a completion of a send; empty if there is none. */
    Optional<Done> awaitSend(Pair pair, Duration patience);

    /** Waits for a completion of a receive; empty if there is none. */
    Optional<Done> awaitReceive(Pair pair, Duration patience);

    byte[] load(Region region, int offset, int lengthBytes);

    void store(Region region, int offset, byte[] bytes);

    /** Stores {@link #pattern} from the first byte on. */
    void fill(Region region, int lengthBytes, int first);

    /** Bytes of which each is {@link #PATTERN_STEP} more than the one before. */
    static byte[] pattern(int lengthBytes, int first) {
        byte[] bytes = new byte[lengthBytes];
        for (int at = 0; at < lengthBytes; at++) {
            bytes[at] = (byte) (at * PATTERN_STEP + first);
        }
        return bytes;
    }

    /** State of a queue pair. */
    QpState state(Pair pair);

    void closeQp(Pair pair);

    @Override
    void close();
}
