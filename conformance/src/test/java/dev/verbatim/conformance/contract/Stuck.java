// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Standstill;
import java.util.List;

/** Ways in which the left side of a connection comes to wait for what does not come, and what is said of it. */
enum Stuck {
    RECEIVER_NEVER_READY(
            Standstill.Kind.REQUEST, "oldest SEND wr_id=1", "rnr_retry=7 asks for ever", "post a receive") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        }
    },

    NO_TIMEOUT(Standstill.Kind.REQUEST, "timeout=0 waits for ever", "connect with a timeout") {
        @Override
        RcConnection connection() {
            return RcPair.WITHOUT_TIMER;
        }

        @Override
        void prepare(RcPair pair) {
            pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
            pair.left.qp.postSend(write(pair, 1));
        }
    },

    IN_ERROR(Standstill.Kind.RECEIVE, "receives=1", "in RTS") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.postRecv(ReceiveWorkRequest.of(1));
            pair.right.qp.modify(new QpAttributes().state(QpState.ERR));
        }
    },

    COMPLETION_NOT_POLLED(Standstill.Kind.COMPLETION, "1 completions wait to be polled", "wr_id=7 SUCCESS") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.postSend(write(pair, 7));
        }
    },

    QUEUE_NOT_ARMED(Standstill.Kind.COMPLETION, "not armed", "requestNotify") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.postSend(write(pair, 7));
        }
    },

    NOT_SIGNALED(Standstill.Kind.UNSIGNALED, "without SIGNALED", "post what is waited for with SIGNALED") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.postSend(write(pair, 1).unsignaled());
        }
    },

    SEND_QUEUE_FULL(Standstill.Kind.SEND_QUEUE_FULL, "all max_send_wr=", "later SIGNALED request") {
        @Override
        void prepare(RcPair pair) {
            int slots = pair.left.qp.initAttributes().capabilities().maxSendWr();
            for (int i = 0; i < slots; i++) {
                pair.left.qp.postSend(write(pair, i).unsignaled());
            }
        }
    },

    DRAINED(Standstill.Kind.REQUEST, "in SQD no request is started", "change it to RTS") {
        @Override
        void prepare(RcPair pair) {
            pair.left.qp.modify(new QpAttributes().state(QpState.SQD));
            pair.left.qp.postSend(write(pair, 1));
        }
    };

    /** Of what waits. */
    final Standstill.Kind kind;

    /** Of the sentence. */
    final List<String> words;

    Stuck(Standstill.Kind kind, String... words) {
        this.kind = kind;
        this.words = List.of(words);
    }

    RcConnection connection() {
        return RcConnection.USUAL;
    }

    /** Lets it come so far, when that has come; on a connected pair. */
    abstract void prepare(RcPair pair);

    QpCapabilities capabilities() {
        return QpCapabilities.USUAL;
    }

    static SendWorkRequest write(RcPair pair, long id) {
        Side to = pair.right;
        return SendWorkRequest.write(id, to.address(0), to.rkey(), pair.left.sge(0, 8));
    }
}
