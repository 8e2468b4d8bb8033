// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ece;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_cap;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_open_attr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.place.Privileges;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.WrOpcode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queue pairs. */
final class QueuePairs {

    /** {@code IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}, and what is returned. */
    private static final int RETURN_CAPS = 1, WHOLE_MESSAGE = 1, ALIGNED_128_BYTES = 1 << 1;

    /** Bits of {@code ibv_qp_init_attr_ex.comp_mask} that mean something to this device. */
    private static final int PD = 1, XRCD = 2, CREATE_FLAGS = 4, SEND_OPS = 64;

    private static final int KNOWN_MASK = 0x1f_ffff;
    private static final int RATE_LIMIT = 1 << 25;

    /** {@code IBV_QPT_DRIVER}. */
    private static final int DRIVER = 0xff;

    /** Bits of {@code ibv_qp_open_attr.comp_mask}. */
    private static final int OPEN_NUMBER = 1, OPEN_XRCD = 2, OPEN_TYPE = 8;

    private QueuePairs() {}

    static long ibv_create_qp(long pd, long attributes) {
        Pd of = Pd.TABLE.at(pd);
        return create(of.context(), of, null, attributes, false);
    }

    /** Whether the attributes ask for functions to post by; refused if they ask for what the device has not. */
    static boolean isExtended(Context of, long attributes) {
        int mask = ibv_qp_init_attr_ex.comp_mask.get(attributes);
        if ((mask & ~(PD | XRCD | CREATE_FLAGS | SEND_OPS)) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "comp_mask=" + mask + " asks for what this device has not");
        }
        if ((mask & CREATE_FLAGS) != 0 && ibv_qp_init_attr_ex.create_flags.get(attributes) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "create_flags are not supported");
        }
        boolean extended = (mask & SEND_OPS) != 0;
        long operations = extended ? ibv_qp_init_attr_ex.send_ops_flags.get(attributes) : 0;
        if ((operations & ~ExtendedPosts.operationsOf(of.device().query().capabilities())) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "send_ops_flags ask for operations that this device has not");
        }
        return extended;
    }

    static long op_create_qp_ex(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_qp_init_attr_ex.comp_mask.get(attributes);
        boolean extended = isExtended(of, attributes);
        @Nullable Pd pd = (mask & PD) == 0 ? null : Pd.TABLE.at(ibv_qp_init_attr_ex.pd.get(attributes));
        @Nullable Xrcd domain = (mask & XRCD) == 0 ? null : Xrcd.TABLE.at(ibv_qp_init_attr_ex.xrcd.get(attributes));
        return create(of, pd, domain, attributes, extended);
    }

    private static long create(
            Context context, @Nullable Pd pd, @Nullable Xrcd domain, long attributes, boolean extended) {
        boolean isTarget = ibv_qp_init_attr.qp_type.get(attributes) == QpType.XRC_RECV.number();
        if (isTarget && domain != null) {
            Qp created = create(context, null, attributes, extended, domain.domain()::createQp);
            domain.targets().add(created.queuePair());
            return created.address();
        }
        if (isTarget || pd == null) {
            throw new Refused(Errno.EINVAL.number(), isTarget ? "XRC_RECV needs an XRC domain" : "a domain is needed");
        }
        return create(context, pd, attributes, extended, pd.domain()::createQp).address();
    }

    private static QpInitAttributes withInline(QpInitAttributes asked, int leastBytes) {
        QpCapabilities sizes = asked.capabilities();
        return sizes.maxInlineDataBytes() >= leastBytes
                ? asked
                : asked.withCapabilities(new QpCapabilities(
                        sizes.maxSendWr(), sizes.maxRecvWr(), sizes.maxSendSge(), sizes.maxRecvSge(), leastBytes));
    }

    /** Makes a queue pair of the attributes in memory, and writes what was granted there. */
    static Qp create(
            Context context,
            @Nullable Pd pd,
            long attributes,
            boolean extended,
            Function<QpInitAttributes, QueuePair> made) {
        QpType type = typeOf(ibv_qp_init_attr.qp_type.get(attributes));
        boolean isTarget = type == QpType.XRC_RECV;
        QpInitAttributes asked = read(type, attributes);
        if (extended && !isTarget) {
            long operations = ibv_qp_init_attr_ex.send_ops_flags.get(attributes);
            asked = withInline(asked, ExtendedPosts.inlineBytesOf(operations));
        }
        Qp created = new Qp(context, asked, extended, false, made);
        long struct = created.address();
        ibv_qp.qp_context.set(struct, ibv_qp_init_attr.qp_context.get(attributes));
        ibv_qp.pd.set(struct, pd == null ? 0 : pd.address());
        ibv_qp.send_cq.set(struct, isTarget ? 0 : ibv_qp_init_attr.send_cq.get(attributes));
        ibv_qp.recv_cq.set(struct, isTarget ? 0 : ibv_qp_init_attr.recv_cq.get(attributes));
        ibv_qp.srq.set(struct, isTarget ? 0 : ibv_qp_init_attr.srq.get(attributes));
        if (!isTarget) {
            writeCapabilities(created.sizes(), ibv_qp_init_attr.cap.of(attributes));
        }
        return created;
    }

    private static QpType typeOf(int number) {
        if (number == QpType.RAW_PACKET.number() || number == DRIVER) {
            boolean permitted = number == DRIVER || Privileges.mayUseRawPackets();
            throw new Refused(
                    permitted ? Errno.EOPNOTSUPP.number() : Errno.EPERM.number(),
                    "qp_type=" + number + " is not supported");
        }
        for (QpType type : QpType.values()) {
            if (type.number() == number) {
                return type;
            }
        }
        throw new Refused(Errno.EINVAL.number(), "qp_type=" + number + " is not known");
    }

    private static QpInitAttributes read(QpType type, long attributes) {
        if (type == QpType.XRC_RECV) {
            return QpInitAttributes.xrcReceive();
        }
        long cap = ibv_qp_init_attr.cap.of(attributes);
        QpCapabilities sizes = new QpCapabilities(
                ibv_qp_cap.max_send_wr.get(cap),
                ibv_qp_cap.max_recv_wr.get(cap),
                ibv_qp_cap.max_send_sge.get(cap),
                ibv_qp_cap.max_recv_sge.get(cap),
                ibv_qp_cap.max_inline_data.get(cap));
        Cq send = Cq.TABLE.at(ibv_qp_init_attr.send_cq.get(attributes));
        boolean signalAll = ibv_qp_init_attr.sq_sig_all.get(attributes) != 0;
        if (type == QpType.XRC_SEND) {
            return new QpInitAttributes(type, send.queue(), null, sizes, signalAll, null, null);
        }
        Cq receive = Cq.TABLE.at(ibv_qp_init_attr.recv_cq.get(attributes));
        long srq = ibv_qp_init_attr.srq.get(attributes);
        return new QpInitAttributes(
                type,
                send.queue(),
                receive.queue(),
                sizes,
                signalAll,
                null,
                srq == 0 ? null : Srq.TABLE.at(srq).queue());
    }

    private static void writeCapabilities(QpCapabilities granted, long cap) {
        ibv_qp_cap.max_send_wr.set(cap, granted.maxSendWr());
        ibv_qp_cap.max_recv_wr.set(cap, granted.maxRecvWr());
        ibv_qp_cap.max_send_sge.set(cap, granted.maxSendSge());
        ibv_qp_cap.max_recv_sge.set(cap, granted.maxRecvSge());
        ibv_qp_cap.max_inline_data.set(cap, granted.maxInlineDataBytes());
    }

    /** Another struct for a receiving XRC queue pair of a domain. */
    static long op_open_qp(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_qp_open_attr.comp_mask.get(attributes);
        if ((mask & (OPEN_NUMBER | OPEN_XRCD | OPEN_TYPE)) != (OPEN_NUMBER | OPEN_XRCD | OPEN_TYPE)
                || ibv_qp_open_attr.qp_type.get(attributes) != QpType.XRC_RECV.number()) {
            throw new Refused(Errno.EINVAL.number(), "an XRC_RECV queue pair is opened by number, domain and type");
        }
        int number = ibv_qp_open_attr.qp_num.get(attributes);
        Xrcd domain = Xrcd.TABLE.at(ibv_qp_open_attr.xrcd.get(attributes));
        for (QueuePair target : domain.targets()) {
            if (target.number() == number) {
                return new Qp(of, target.initAttributes(), false, true, asked -> target).address();
            }
        }
        throw new Refused(Errno.EINVAL.number(), "qp_num=" + number + " is no queue pair of that domain");
    }

    static int ibv_destroy_qp(long qp) {
        Qp.TABLE.toDestroy(qp).close();
        return 0;
    }

    static int ibv_modify_qp(long qp, long attributes, int mask) {
        Qp of = Qp.TABLE.at(qp);
        if ((mask & ~KNOWN_MASK) != 0) {
            throw new Refused(
                    Errno.EOPNOTSUPP.number(),
                    (mask & RATE_LIMIT) != 0 ? "rates are not limited" : "attr_mask=" + mask + " has unknown bits");
        }
        int taken = mask & ~meaningless(of.queuePair().initAttributes().type());
        of.queuePair().modify(QueuePairAttributes.read(of.context(), attributes, taken), taken);
        of.path().changed(attributes, taken);
        of.stateChanged();
        return 0;
    }

    /** Attributes that one end of an XRC connection lacks: Linux drops them before it looks at the mask. */
    private static int meaningless(QpType type) {
        return switch (type) {
            case XRC_SEND -> QpAttributeMask.MAX_DEST_RD_ATOMIC | QpAttributeMask.MIN_RNR_TIMER;
            case XRC_RECV -> QpAttributeMask.MAX_QP_RD_ATOMIC | QpAttributeMask.RETRY_CNT | QpAttributeMask.RNR_RETRY;
            default -> 0;
        };
    }

    static int ibv_query_qp(long qp, long attributes, int mask, long init) {
        Qp of = Qp.TABLE.at(qp);
        QpAttributes now = of.queuePair().query();
        QpInitAttributes made = of.queuePair().initAttributes();
        QueuePairAttributes.write(now, attributes);
        of.path().write(attributes);
        writeCapabilities(of.sizes(), ibv_qp_attr.cap.of(attributes));
        ibv_qp_init_attr.qp_context.set(init, ibv_qp.qp_context.get(qp));
        ibv_qp_init_attr.send_cq.set(init, ibv_qp.send_cq.get(qp));
        ibv_qp_init_attr.recv_cq.set(init, ibv_qp.recv_cq.get(qp));
        ibv_qp_init_attr.srq.set(init, ibv_qp.srq.get(qp));
        ibv_qp_init_attr.qp_type.set(init, made.type().number());
        ibv_qp_init_attr.sq_sig_all.set(init, made.signalAll() ? 1 : 0);
        writeCapabilities(of.sizes(), ibv_qp_init_attr.cap.of(init));
        ibv_qp.state.set(qp, now.state().number());
        return 0;
    }

    static int op_post_send(long qp, long requests, long bad) {
        Qp.TABLE.inUse(qp).postSend(requests, bad);
        return 0;
    }

    static int op_post_recv(long qp, long requests, long bad) {
        Qp.TABLE.inUse(qp).postReceive(requests, bad);
        return 0;
    }

    static int op_modify_qp_rate_limit(long qp, long attributes) {
        Qp unused = Qp.TABLE.at(qp);
        throw new Refused(Errno.EOPNOTSUPP.number(), "rates are not limited");
    }

    static long ibv_qp_to_qp_ex(long qp) {
        return Qp.TABLE.at(qp).batch() == null ? 0 : qp;
    }

    /** Enhanced connections are not offered: all options are 0. */
    static int ibv_query_ece(long qp, long ece) {
        Qp unused = Qp.TABLE.at(qp);
        Native.clear(ece, ibv_ece.SIZE);
        return 0;
    }

    static int ibv_set_ece(long qp, long ece) {
        Qp unused = Qp.TABLE.at(qp);
        if (ibv_ece.comp_mask.get(ece) != 0 || (ibv_ece.vendor_id.get(ece) != 0 && ibv_ece.options.get(ece) != 0)) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "enhanced connections are not supported");
        }
        return 0;
    }

    /** Whoever has whole messages in order has aligned blocks of 128 bytes in order, too. */
    private static int capabilities(boolean areWholeMessages, int flags) {
        boolean areWanted = (flags & RETURN_CAPS) != 0;
        return !areWholeMessages ? 0 : areWanted ? WHOLE_MESSAGE | ALIGNED_128_BYTES : WHOLE_MESSAGE;
    }

    static int ibv_query_qp_data_in_order(long qp, int opcode, int flags) {
        for (WrOpcode candidate : WrOpcode.values()) {
            if (candidate.number() == opcode) {
                return capabilities(Qp.TABLE.at(qp).queuePair().queryDataInOrder(candidate), flags);
            }
        }
        return 0;
    }
}
