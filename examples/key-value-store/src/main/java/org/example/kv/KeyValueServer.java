// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The table, in memory that clients may READ, and what changes it. Clients put by messages; a get does not disturb the server at all. */
final class KeyValueServer {

    /** How the server stores a word: in a simulation other programs and devices may act between two of them. */
    interface Words {
        void store(Memory memory, int offset, long value);
    }

    /** A put: key, first word, second word. The answer is an empty message. */
    static final int MESSAGE_BYTES = 24;

    private static final int RECEIVES = 4;

    private final ProtectionDomain pd;
    private final Words words;
    private final MemoryRegion table;

    KeyValueServer(ProtectionDomain pd, Words words) {
        this.pd = pd;
        this.words = words;
        table = pd.register(Memory.allocate(Bucket.COUNT * Bucket.BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
    }

    /** What a client has to know: address and rkey of the table. */
    byte[] greeting() {
        return ByteBuffer.allocate(12).putLong(table.address()).putInt(table.rkey()).array();
    }

    Connection open() {
        return new Connection();
    }

    /** The server's end of the connection of one client. */
    final class Connection {
        private final CompletionQueue sent = pd.device().createCq(RECEIVES);
        private final CompletionQueue received = pd.device().createCq(RECEIVES);
        private final MemoryRegion messages = pd.register(Memory.allocate(RECEIVES * MESSAGE_BYTES), AccessFlags.LOCAL_WRITE);
        private final QpInitAttributes attributes = QpInitAttributes.rc(sent, received, QpCapabilities.USUAL);

        QpInitAttributes attributes() {
            return attributes;
        }

        /** Posts the receives; from then on the client may send. */
        void begin(QueuePair qp) {
            for (int slot = 0; slot < RECEIVES; slot++) {
                receive(qp, slot);
            }
        }

        /** Carries out one put and answers it; or returns false, since the connection has ended. */
        boolean serve(QueuePair qp, Duration patience) {
            WorkCompletion message = received.awaitCompletion(patience);
            if (message.status() == WcStatus.WR_FLUSH_ERR) {
                return false;
            }
            if (!message.isSuccess()) {
                throw new IllegalStateException(message.explanation());
            }
            int slot = (int) message.id();
            ByteBuffer put = messages.memory().buffer();
            int at = slot * MESSAGE_BYTES;
            store(put.getLong(at), put.getLong(at + 8), put.getLong(at + 16));
            receive(qp, slot);
            qp.postSend(SendWorkRequest.send(slot));
            WorkCompletion answer = sent.awaitCompletion(patience);
            if (!answer.isSuccess()) {
                throw new IllegalStateException(answer.explanation());
            }
            return true;
        }

        private void receive(QueuePair qp, int slot) {
            qp.postRecv(ReceiveWorkRequest.of(slot, messages.sge(slot * MESSAGE_BYTES, MESSAGE_BYTES)));
        }
    }

    private void store(long key, long first, long second) {
        int bucket = Bucket.offset(key);
        long version = table.memory().buffer().getLong(bucket + Bucket.VERSION);
        words.store(table.memory(), bucket + Bucket.VERSION, version + 1);
        words.store(table.memory(), bucket + Bucket.FIRST, first);
        words.store(table.memory(), bucket + Bucket.SECOND, second);
        words.store(table.memory(), bucket + Bucket.VERSION, version + 2);
    }
}
