// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/** What is checked before a queue pair comes to be (QP-02 to QP-04). */
final class QpCreation {

    private static final Set<QpType> SUPPORTED = EnumSet.of(QpType.RC, QpType.UC, QpType.UD);

    private QpCreation() {}

    static EmulatedCompletionQueue own(EmulatedDevice device, CompletionQueue cq) {
        if (cq instanceof EmulatedCompletionQueue candidate && candidate.device() == device) {
            if (!candidate.isOpen()) {
                throw VerbsException.of(Errno.EINVAL, "QP-04", "%s was destroyed before", cq);
            }
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, "QP-04", "%s is not a completion queue of %s", cq, device);
    }

    /** The attributes as they are granted: with a shared receive queue there is none of its own, whatever was asked for (QP-04). */
    static QpInitAttributes granted(EmulatedDevice device, QpInitAttributes asked) {
        if (asked.srq() == null) {
            return asked;
        }
        checkSrq(device, asked.srq());
        QpCapabilities sizes = asked.capabilities();
        return new QpInitAttributes(
                asked.type(),
                asked.sendCq(),
                asked.recvCq(),
                new QpCapabilities(sizes.maxSendWr(), 0, sizes.maxSendSge(), 0, sizes.maxInlineDataBytes()),
                asked.signalAll(),
                asked.context(),
                asked.srq());
    }

    private static void checkSrq(EmulatedDevice device, SharedReceiveQueue srq) {
        if (!(srq instanceof EmulatedSharedReceiveQueue own) || own.device() != device) {
            throw VerbsException.of(Errno.EINVAL, "QP-04", "%s is not a shared receive queue of %s", srq, device);
        }
        if (!own.isOpen()) {
            throw VerbsException.of(Errno.EINVAL, "QP-04", "%s was destroyed before", srq);
        }
    }

    static void check(DeviceLimits limits, QpInitAttributes attributes) {
        if (!SUPPORTED.contains(attributes.type())) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    "QP-04",
                    "qp_type=%s is not supported; use one of %s",
                    attributes.type(),
                    SUPPORTED);
        }
        QpCapabilities asked = attributes.capabilities();
        inRange("QP-02", "max_send_wr", asked.maxSendWr(), limits.maxQpWr());
        inRange("QP-02", "max_recv_wr", asked.maxRecvWr(), limits.maxQpWr());
        inRange("QP-02", "max_send_sge", asked.maxSendSge(), limits.maxSge());
        inRange("QP-02", "max_recv_sge", asked.maxRecvSge(), limits.maxSge());
        inRange("QP-03", "max_inline_data", asked.maxInlineDataBytes(), limits.maxInlineDataBytes());
    }

    private static void inRange(String rule, String name, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.of(Errno.EINVAL, rule, "%s=%d is not in 0..%d", name, value, most);
        }
    }
}
