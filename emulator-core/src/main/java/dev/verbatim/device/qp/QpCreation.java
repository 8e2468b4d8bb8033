// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.cq.CompletionQueues;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.receive.EmulatedSharedReceiveQueue;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What is checked before a queue pair comes to be (QP-02 to QP-04). */
final class QpCreation {

    private QpCreation() {}

    /** Where its sends complete; null if it has none (XRC_RECV). */
    static @Nullable EmulatedCompletionQueue sendCq(DeviceContext device, QpInitAttributes asked) {
        return asked.type() == QpType.XRC_RECV
                ? null
                : own(device, asked.type(), asked.hasSendCq() ? asked.sendCq() : null);
    }

    /** Where its receives complete; null if it has none of its own (XRC). */
    static @Nullable EmulatedCompletionQueue recvCq(DeviceContext device, QpInitAttributes asked) {
        return isXrc(asked.type()) ? null : own(device, asked.type(), asked.hasRecvCq() ? asked.recvCq() : null);
    }

    /** The queues have what it takes to tell of all requests that can be outstanding; of a shared queue it takes one at a time. */
    static void reserve(
            QpInitAttributes granted,
            @Nullable EmulatedCompletionQueue sendCq,
            @Nullable EmulatedCompletionQueue recvCq) {
        QpCapabilities sizes = granted.capabilities();
        if (sendCq != null) {
            sendCq.reserve(sizes.maxSendWr());
        }
        if (recvCq != null) {
            recvCq.reserve(granted.srq() == null ? sizes.maxRecvWr() : 1);
        }
    }

    /** None of its requests is outstanding any more. */
    static void release(
            QpInitAttributes granted,
            @Nullable EmulatedCompletionQueue sendCq,
            @Nullable EmulatedCompletionQueue recvCq) {
        QpCapabilities sizes = granted.capabilities();
        if (sendCq != null) {
            sendCq.release(sizes.maxSendWr());
        }
        if (recvCq != null) {
            recvCq.release(granted.srq() == null ? sizes.maxRecvWr() : 1);
        }
    }

    private static EmulatedCompletionQueue own(DeviceContext device, QpType type, @Nullable CompletionQueue cq) {
        if (cq == null) {
            throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "a queue pair of type %s needs a completion queue", type);
        }
        return CompletionQueues.own(device, cq);
    }

    private static boolean isXrc(QpType type) {
        return type == QpType.XRC_SEND || type == QpType.XRC_RECV;
    }

    /** The attributes as they are granted: at least what was asked for, where that is not refused (QP-02, QP-03). */
    static QpInitAttributes granted(DeviceContext device, QpInitAttributes asked) {
        requireType(device, asked.type());
        QpInitAttributes fitting = withoutSpareReceives(device, asked);
        DeviceLimits limits = device.profile().limits();
        check(limits, fitting);
        QpCapabilities sizes = GrantedSizes.sendRoom(device.profile(), fitting.capabilities());
        return fitting.withCapabilities(new QpCapabilities(
                queue(device, sizes.maxSendWr()),
                queue(device, sizes.maxRecvWr()),
                sizes.maxSendSge(),
                sizes.maxRecvSge(),
                sizes.maxInlineDataBytes()));
    }

    private static int queue(DeviceContext device, int asked) {
        DeviceProfile profile = device.profile();
        return asked == 0
                ? 0
                : GrantedSizes.queue(profile, asked, profile.limits().maxQpWr());
    }

    /** Without a receive queue of its own there is no room in it, whatever was asked for (QP-04). */
    private static QpInitAttributes withoutSpareReceives(DeviceContext device, QpInitAttributes asked) {
        SharedReceiveQueue srq = asked.srq();
        if (srq == null && !isXrc(asked.type())) {
            return asked;
        }
        if (srq != null) {
            checkSrq(device, asked.type(), srq);
        }
        QpCapabilities sizes = asked.capabilities();
        QpCapabilities granted = asked.type() == QpType.XRC_RECV
                ? new QpCapabilities(0, 0, 0, 0, 0)
                : new QpCapabilities(sizes.maxSendWr(), 0, sizes.maxSendSge(), 0, sizes.maxInlineDataBytes());
        return asked.withCapabilities(granted);
    }

    private static void checkSrq(DeviceContext device, QpType type, SharedReceiveQueue srq) {
        if (isXrc(type)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QP_04,
                    "a queue pair of type %s has no shared receive queue; requests name it",
                    type);
        }
        if (!(srq instanceof EmulatedSharedReceiveQueue own) || own.domain().device() != device) {
            throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s is not a shared receive queue of %s", srq, device);
        }
        if (!own.isOpen()) {
            throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s was destroyed before", srq);
        }
        if (own.xrcDomain() != null) {
            throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s is of type XRC; make a basic one", srq);
        }
    }

    private static void requireType(DeviceContext device, QpType type) {
        if (type == QpType.RAW_PACKET) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP, Rule.QP_04, "qp_type=RAW_PACKET is not supported: the device has no Ethernet");
        }
        if (isXrc(type) && !device.can(DeviceCapabilities.XRC)) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.QP_04,
                    "qp_type=%s is not supported: profile %s has no XRC",
                    type,
                    device.profile().name());
        }
    }

    private static void check(DeviceLimits limits, QpInitAttributes attributes) {
        QpCapabilities asked = attributes.capabilities();
        inRange(Rule.QP_02, "max_send_wr", asked.maxSendWr(), limits.maxQpWr());
        inRange(Rule.QP_02, "max_recv_wr", asked.maxRecvWr(), limits.maxQpWr());
        inRange(Rule.QP_02, "max_send_sge", asked.maxSendSge(), limits.maxSge());
        inRange(Rule.QP_02, "max_recv_sge", asked.maxRecvSge(), limits.maxSge());
        inRange(Rule.QP_03, "max_inline_data", asked.maxInlineDataBytes(), limits.maxInlineDataBytes());
    }

    private static void inRange(Rule rule, String name, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.of(Errno.EINVAL, rule, "%s=%d is not in 0..%d", name, value, most);
        }
    }
}
