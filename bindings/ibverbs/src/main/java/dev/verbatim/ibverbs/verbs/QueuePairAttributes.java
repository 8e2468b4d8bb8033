// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;

/** {@code struct ibv_qp_attr} as attributes, and back. */
public final class QueuePairAttributes {

    private QueuePairAttributes() {}

    /** Reads all; what only some values are legal of, if the mask has it. */
    static QpAttributes read(Context context, long from, int mask) {
        QpAttributes to = new QpAttributes();
        if ((mask & QpAttributeMask.STATE) != 0) {
            to.state(stateOf(ibv_qp_attr.qp_state.get(from)));
        }
        if ((mask & QpAttributeMask.CUR_STATE) != 0) {
            to.currentState(stateOf(ibv_qp_attr.cur_qp_state.get(from)));
        }
        if ((mask & QpAttributeMask.PATH_MTU) != 0) {
            to.pathMtu(mtuOf(ibv_qp_attr.path_mtu.get(from)));
        }
        if ((mask & QpAttributeMask.AV) != 0) {
            to.addressVector(Vectors.read(context, ibv_qp_attr.ah_attr.of(from)));
        }
        to.queueKey(ibv_qp_attr.qkey.get(from));
        to.rqPsn(ibv_qp_attr.rq_psn.get(from) & 0xff_ffff);
        to.sqPsn(ibv_qp_attr.sq_psn.get(from) & 0xff_ffff);
        to.destinationQp(ibv_qp_attr.dest_qp_num.get(from));
        to.accessFlags(ibv_qp_attr.qp_access_flags.get(from));
        to.pkeyIndex(ibv_qp_attr.pkey_index.get(from));
        to.notifyDrained(ibv_qp_attr.en_sqd_async_notify.get(from) != 0);
        to.maxRdAtomic(ibv_qp_attr.max_rd_atomic.get(from));
        to.maxDestRdAtomic(ibv_qp_attr.max_dest_rd_atomic.get(from));
        to.minRnrTimer(ibv_qp_attr.min_rnr_timer.get(from));
        to.portNumber(ibv_qp_attr.port_num.get(from));
        to.timeout(ibv_qp_attr.timeout.get(from));
        to.retryCount(ibv_qp_attr.retry_cnt.get(from));
        to.rnrRetry(ibv_qp_attr.rnr_retry.get(from));
        return to;
    }

    private static QpState stateOf(int number) {
        QpState[] all = QpState.values();
        if (number < 0 || number >= all.length) {
            throw new Refused(Errno.EINVAL.number(), "state=" + number + " is not known");
        }
        return all[number];
    }

    private static PathMtu mtuOf(int number) {
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.number() == number) {
                return mtu;
            }
        }
        throw new Refused(Errno.EINVAL.number(), "path_mtu=" + number + " is not 1 to 5");
    }

    /** Writes all, but the sizes of the queues. */
    public static void write(QpAttributes now, long attributes) {
        Native.clear(attributes, ibv_qp_attr.SIZE);
        ibv_qp_attr.qp_state.set(attributes, now.state().number());
        ibv_qp_attr.cur_qp_state.set(attributes, now.state().number());
        ibv_qp_attr.path_mtu.set(attributes, now.pathMtu().number());
        ibv_qp_attr.qkey.set(attributes, now.queueKey());
        ibv_qp_attr.rq_psn.set(attributes, now.rqPsn());
        ibv_qp_attr.sq_psn.set(attributes, now.sqPsn());
        ibv_qp_attr.dest_qp_num.set(attributes, now.destinationQp());
        ibv_qp_attr.qp_access_flags.set(attributes, now.accessFlags());
        AddressVector vector = now.addressVector();
        if (vector != null) {
            Vectors.write(vector, ibv_qp_attr.ah_attr.of(attributes));
        }
        ibv_qp_attr.pkey_index.set(attributes, now.pkeyIndex());
        ibv_qp_attr.sq_draining.set(attributes, now.draining() ? 1 : 0);
        ibv_qp_attr.max_rd_atomic.set(attributes, now.maxRdAtomic());
        ibv_qp_attr.max_dest_rd_atomic.set(attributes, now.maxDestRdAtomic());
        ibv_qp_attr.min_rnr_timer.set(attributes, now.minRnrTimer());
        ibv_qp_attr.port_num.set(attributes, now.portNumber());
        ibv_qp_attr.timeout.set(attributes, now.timeout());
        ibv_qp_attr.retry_cnt.set(attributes, now.retryCount());
        ibv_qp_attr.rnr_retry.set(attributes, now.rnrRetry());
    }
}
