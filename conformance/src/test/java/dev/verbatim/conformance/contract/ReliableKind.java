// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.XrcDomain;
import org.jspecify.annotations.Nullable;

/** The reliable transports: what a test says of requests with an answer holds over both. */
enum ReliableKind {
    RC {
        @Override
        Connected connect(RcPair pair, ProtectionDomain pd) {
            Side right = pair.right;
            QueuePair sender = pair.left.newQueuePair();
            QueuePair receiver = pd.createQp(right.qp.initAttributes());
            RcConnection.USUAL.join(sender, receiver);
            return new Connected(sender, receiver, null);
        }
    },

    /** The shared receive queue that requests name says whose memory it is. */
    XRC {
        @Override
        Connected connect(RcPair pair, ProtectionDomain pd) {
            Side right = pair.right;
            XrcDomain domain = right.device.openXrcDomain();
            SharedReceiveQueue srq = pd.createSrq(SrqInitAttributes.xrc(16, domain, right.recvCq));
            QueuePair sender = pair.left.pd.createQp(QpInitAttributes.xrcSend(pair.left.sendCq, QpCapabilities.USUAL));
            QueuePair receiver = domain.createQp(QpInitAttributes.xrcReceive());
            RcConnection.USUAL.join(sender, receiver);
            return new Connected(sender, receiver, srq);
        }
    };

    /** A new connection of the two sides, whose responder touches what belongs to that domain. */
    abstract Connected connect(RcPair pair, ProtectionDomain pd);

    /**
     * Two queue pairs that are connected.
     *
     * @param srq whom requests are for; null over RC
     */
    record Connected(
            QueuePair sender, QueuePair receiver, @Nullable SharedReceiveQueue srq) {

        void posts(SendWorkRequest request) {
            sender.postSend(srq == null ? request : request.toSrq(srq.number()));
        }

        void postsReceive(ReceiveWorkRequest request) {
            if (srq == null) {
                receiver.postRecv(request);
            } else {
                srq.postRecv(request);
            }
        }
    }
}
