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
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** Puts by a message to the server, and gets by RDMA READs alone. */
final class KeyValueClient {

    /** How a bucket is read. */
    enum Reads {
        /** Version, value and version again, each by a READ of its own: READs of one queue pair are executed in order [ORD-12]. */
        THREE,
        /** The whole bucket by one READ: the planted mistake. A READ may be fetched in parts, in any order [ORD-40]. */
        ONE
    }

    /** A value of two words. */
    record Value(long first, long second) {}

    private static final int MESSAGE = 0, BUCKET = 24, VERSION_AGAIN = BUCKET + Bucket.BYTES, BYTES = VERSION_AGAIN + 8;

    private final CompletionQueue sent, received;
    private final MemoryRegion memory;
    private final QpInitAttributes attributes;
    private final Duration patience;
    private final Reads reads;

    KeyValueClient(ProtectionDomain pd, Reads reads, Duration patience) {
        sent = pd.device().createCq(4);
        received = pd.device().createCq(4);
        memory = pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE);
        attributes = QpInitAttributes.rc(sent, received, QpCapabilities.USUAL);
        this.reads = reads;
        this.patience = patience;
    }

    QpInitAttributes attributes() {
        return attributes;
    }

    /** The client on a queue pair that is connected to a server with this greeting. */
    Connection on(QueuePair qp, byte[] greeting) {
        ByteBuffer table = ByteBuffer.wrap(greeting);
        return new Connection(qp, table.getLong(), table.getInt());
    }

    final class Connection {
        private final QueuePair qp;
        private final long table;
        private final int rkey;

        private Connection(QueuePair qp, long table, int rkey) {
            this.qp = qp;
            this.table = table;
            this.rkey = rkey;
        }

        /** Returns when the server has the value. */
        void put(long key, Value value) {
            qp.postRecv(ReceiveWorkRequest.of(1));
            memory.memory().buffer().putLong(MESSAGE, key).putLong(MESSAGE + 8, value.first()).putLong(MESSAGE + 16, value.second());
            qp.postSend(SendWorkRequest.send(2, memory.sge(MESSAGE, KeyValueServer.MESSAGE_BYTES)));
            await(sent);
            await(received);
        }

        /** The value that some put has stored, whole. */
        Optional<Value> get(long key) {
            int bucket = Bucket.offset(key);
            ByteBuffer got = memory.memory().buffer();
            while (true) {
                if (reads == Reads.ONE) {
                    read(bucket, BUCKET, Bucket.BYTES);
                } else {
                    read(bucket + Bucket.VERSION, BUCKET + Bucket.VERSION, 8);
                    read(bucket + Bucket.FIRST, BUCKET + Bucket.FIRST, Bucket.BYTES - Bucket.FIRST);
                    read(bucket + Bucket.VERSION, VERSION_AGAIN, 8);
                }
                long version = got.getLong(BUCKET + Bucket.VERSION);
                boolean isWhole = reads == Reads.ONE || version == got.getLong(VERSION_AGAIN);
                if (isWhole && version == 0) {
                    return Optional.empty();
                }
                if (isWhole && version % 2 == 0) {
                    return Optional.of(new Value(got.getLong(BUCKET + Bucket.FIRST), got.getLong(BUCKET + Bucket.SECOND)));
                }
            }
        }

        private void read(int from, int to, int lengthBytes) {
            qp.postSend(SendWorkRequest.read(3, table + from, rkey, memory.sge(to, lengthBytes)));
            await(sent);
        }

        private void await(CompletionQueue queue) {
            WorkCompletion completion = queue.awaitCompletion(patience);
            if (!completion.isSuccess()) {
                throw new IllegalStateException(completion.explanation());
            }
        }
    }
}
