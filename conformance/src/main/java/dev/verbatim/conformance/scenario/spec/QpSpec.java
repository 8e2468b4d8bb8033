// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of a node.
 *
 * @param type transport service
 * @param sendCq name of the completion queue of its send queue
 * @param recvCq name of that of its receive queue
 * @param pd protection domain
 * @param capabilities how much it holds
 * @param signalAll whether every send work request is signaled (sq_sig_all)
 * @param srq shared receive queue that it takes receives from; null for a receive queue of its own
 * @param xrcd XRC domain of an XRC_RECV; null for others
 * @param queueKey Q_Key of a UD, with which it is brought up
 * @param portNumber port that it is brought up at, from 1
 */
public record QpSpec(
        QpType type,
        String sendCq,
        String recvCq,
        String pd,
        QpCapabilities capabilities,
        boolean signalAll,
        @Nullable String srq,
        @Nullable String xrcd,
        int queueKey,
        int portNumber) {

    /** Q_Key of a UD queue pair where nothing is said. */
    public static final int USUAL_QUEUE_KEY = 0x1111;

    /** Name of the XRC domain of an XRC_RECV that names none. */
    public static final String USUAL_XRCD = "xrcd";

    /** Name of the queue pair of a connection that names none. */
    public static final String USUAL_NAME = "qp";

    /** What a queue pair is where nothing is said. */
    public static final QpSpec USUAL = new QpSpec(
            QpType.RC, CqSpec.USUAL_NAME, CqSpec.USUAL_NAME, RegionSpec.USUAL_PD, QpCapabilities.USUAL, false);

    /** A queue pair with a receive queue of its own. */
    public QpSpec(
            QpType type, String sendCq, String recvCq, String pd, QpCapabilities capabilities, boolean signalAll) {
        this(type, sendCq, recvCq, pd, capabilities, signalAll, null, null, USUAL_QUEUE_KEY, 1);
    }

    /** Whether it has a completion queue for what it sends: all but XRC_RECV. */
    public boolean sends() {
        return type != QpType.XRC_RECV;
    }

    /** Whether it has a completion queue for what it receives: XRC completes it in that of the shared receive queue. */
    public boolean receives() {
        return type != QpType.XRC_RECV && type != QpType.XRC_SEND;
    }

    /** The number of a port, in a file. */
    static final Form<Integer> PORT = Forms.integer(1, DeviceLimits.MOST_PHYSICAL_PORTS);

    /** In a file. */
    public static final Form<QpSpec> FORM = form();

    private static final int MOST = 1 << 20;

    private String commonCq() {
        return sendCq.equals(recvCq) ? sendCq : CqSpec.USUAL_NAME;
    }

    private static Form<QpSpec> form() {
        Mapping<QpSpec> mapping = new Mapping<>("qp", "a queue pair");
        Form<String> cqName = Forms.name("the name of a completion queue");
        Key<QpSpec, QpType> type = mapping.optional(
                "type",
                Forms.constant("a type of queue pair", QpType.class),
                QpType.RC,
                QpSpec::type,
                "Transport service.");
        Key<QpSpec, String> cq = mapping.optional(
                "cq", cqName, CqSpec.USUAL_NAME, QpSpec::commonCq, "Completion queue of both of its queues.");
        Key<QpSpec, String> sendCq = mapping.perhaps(
                "send_cq",
                cqName,
                qp -> qp.sendCq.equals(qp.commonCq()) ? null : qp.sendCq,
                "Completion queue of its send queue.");
        Key<QpSpec, String> recvCq = mapping.perhaps(
                "recv_cq",
                cqName,
                qp -> qp.recvCq.equals(qp.commonCq()) ? null : qp.recvCq,
                "Completion queue of its receive queue.");
        Key<QpSpec, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                QpSpec::pd,
                "Protection domain.");
        Function<Values, QpCapabilities> capabilities = capabilities(mapping);
        Key<QpSpec, Boolean> signalAll = mapping.optional(
                "sq_sig_all", Forms.flag(), false, QpSpec::signalAll, "Whether every send work request is signaled.");
        Key<QpSpec, String> srq = mapping.perhaps(
                "srq",
                Forms.name("the name of a shared receive queue"),
                QpSpec::srq,
                "Shared receive queue, instead of a receive queue of its own.");
        Key<QpSpec, String> xrcd = mapping.perhaps(
                "xrcd",
                Forms.name("the name of an XRC domain"),
                qp -> USUAL_XRCD.equals(qp.xrcd) ? null : qp.xrcd,
                "XRC domain of an XRC_RECV.");
        Key<QpSpec, Integer> queueKey = mapping.optional(
                "qkey", Forms.halfWord(), USUAL_QUEUE_KEY, QpSpec::queueKey, "Q_Key that a UD is brought up with.");
        Key<QpSpec, Integer> port = mapping.optional(
                "port_num", PORT, 1, QpSpec::portNumber, "Port of the node's device that it is brought up at, from 1.");
        return mapping.making(values -> {
            String send = values.orNull(sendCq);
            String recv = values.orNull(recvCq);
            return new QpSpec(
                    values.get(type),
                    send == null ? values.get(cq) : send,
                    recv == null ? values.get(cq) : recv,
                    values.get(pd),
                    capabilities.apply(values),
                    values.get(signalAll),
                    values.orNull(srq),
                    xrcDomain(values.orNull(xrcd), values.get(type)),
                    values.get(queueKey),
                    values.get(port));
        });
    }

    private static @Nullable String xrcDomain(@Nullable String named, QpType type) {
        if (named != null && type != QpType.XRC_RECV) {
            throw new IllegalArgumentException(
                    "xrcd is for queue pairs of type XRC_RECV, not " + type + "; leave it out");
        }
        return named == null && type == QpType.XRC_RECV ? USUAL_XRCD : named;
    }

    private static Function<Values, QpCapabilities> capabilities(Mapping<QpSpec> mapping) {
        QpCapabilities usual = QpCapabilities.USUAL;
        Key<QpSpec, Integer> sendWr = count(mapping, "max_send_wr", usual.maxSendWr(), c -> c.maxSendWr());
        Key<QpSpec, Integer> recvWr = count(mapping, "max_recv_wr", usual.maxRecvWr(), c -> c.maxRecvWr());
        Key<QpSpec, Integer> sendSge = count(mapping, "max_send_sge", usual.maxSendSge(), c -> c.maxSendSge());
        Key<QpSpec, Integer> recvSge = count(mapping, "max_recv_sge", usual.maxRecvSge(), c -> c.maxRecvSge());
        Key<QpSpec, Integer> inline =
                count(mapping, "max_inline_data", usual.maxInlineDataBytes(), c -> c.maxInlineDataBytes());
        return values -> new QpCapabilities(
                values.get(sendWr), values.get(recvWr), values.get(sendSge), values.get(recvSge), values.get(inline));
    }

    private static Key<QpSpec, Integer> count(
            Mapping<QpSpec> mapping, String word, int usual, ToIntFunction<QpCapabilities> getter) {
        return mapping.optional(
                word,
                Forms.integer(0, MOST),
                usual,
                qp -> getter.applyAsInt(qp.capabilities),
                "The capability of that name, as asked for.");
    }
}
