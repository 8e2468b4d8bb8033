// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.qp.AtomicSize;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendStatuses;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** What can be found wrong with a request before its first packet (MR-42, WR-33, WR-34). */
final class RequestFitness {

    private final QpContext qp;
    private final SgeAccess memory;

    RequestFitness(QpContext qp) {
        this.qp = qp;
        this.memory = qp.sgeAccess();
    }

    /**
     * Whether the request can be sent; if not, it has failed.
     *
     * @param isAnswered whether it expects a response
     */
    boolean isFit(SendWqe wqe, boolean isAnswered) {
        if (wqe.failure() != null) {
            // It was doomed when it was posted (WR-01).
            qp.decided(Rule.WC_31);
            return false;
        }
        if (isAnswered) {
            if (!mayBeAnswered(wqe)) {
                return false;
            }
            if (wqe.returnsData()) {
                return resultFits(wqe);
            }
        }
        return wqe.inlineData() != null || passes(wqe, memory.check(wqe.elements(), AccessOperation.LOCAL_READ));
    }

    private boolean mayBeAnswered(SendWqe wqe) {
        if (qp.attributes().maxRdAtomic() == 0) {
            qp.decided(Rule.WC_31);
            wqe.fail(
                    WcStatus.LOC_QP_OP_ERR,
                    Refusal.of(
                            Rule.WR_33,
                            "%s with max_rd_atomic=0 can never start; set it on the way to RTS",
                            wqe.toString()));
            return false;
        }
        if (wqe.isAtomic() && !AtomicSize.isLegal(qp.device().profile(), wqe.lengthBytes())) {
            qp.decided(Rule.WC_32);
            wqe.fail(
                    WcStatus.LOC_LEN_ERR,
                    Refusal.of(Rule.WR_34, "%s: an atomic needs elements of 8 bytes in all", wqe.toString()));
            return false;
        }
        return true;
    }

    /** What a request cannot place when it is answered may be found out before it is sent (MR-42, N10). */
    private boolean resultFits(SendWqe wqe) {
        boolean early = qp.device().profile().earlyReadLkey();
        if (!early && !qp.device().isOpen(ChoicePoint.EARLY_LOCAL_CHECK)) {
            return true;
        }
        Denial denial = memory.check(wqe.elements(), AccessOperation.LOCAL_WRITE);
        boolean counts = early || (denial != null && qp.device().choose(ChoicePoint.EARLY_LOCAL_CHECK, 2) == 1);
        return !counts || passes(wqe, denial);
    }

    private boolean passes(SendWqe wqe, @Nullable Denial denial) {
        if (denial == null) {
            return true;
        }
        qp.decided(wqe.returnsData() ? Rule.WC_30 : Rule.WC_29);
        qp.decided(Rule.MR_42);
        WcStatus status = wqe.returnsData()
                ? WcStatus.LOC_PROT_ERR
                : SendStatuses.notGathered(qp.device().profile(), denial);
        wqe.fail(status, denial.refusal());
        return false;
    }
}
