// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Revoking a key by LOCAL_INV, or by a peer's SEND_WITH_INV (B.6). */
final class Invalidations {

    private Invalidations() {}

    /** LOCAL_INV. */
    static void local(Qp qp, long id, boolean signaled, int key) {
        if (qp.state() == QpState.ERR) {
            qp.completeSend(id, WcStatus.WR_FLUSH_ERR, WcOpcode.LOCAL_INV, "QP-23");
            return;
        }
        String broken = revoke(qp, key);
        if (broken != null
                && !(qp.hca().conduct().has(Deviation.FREE_WINDOW_INVALIDATES) && wasOfFreeWindow(qp.hca(), key))) {
            boolean isOpErr = qp.hca().conduct().has(Deviation.INVALIDATION_ENDS_LOC_QP_OP_ERR);
            WcStatus status = isOpErr ? WcStatus.LOC_QP_OP_ERR : WcStatus.MW_BIND_ERR;
            qp.failSend(id, status, WcOpcode.LOCAL_INV, broken); // WC-34, signaled or not
        } else if (signaled) {
            qp.completeSend(id, WcStatus.SUCCESS, WcOpcode.LOCAL_INV, "MW-80");
        }
    }

    private static boolean wasOfFreeWindow(Hca hca, int key) {
        Window window = hca.windowByIndex(key);
        return window != null && window.isType2() && window.binding == null && window.lastKey() == key;
    }

    /** SEND_WITH_INV: everything else is looked at first, then the bytes are placed, and the key is revoked last (MW-84). */
    static void remote(Qp qp, long id, boolean signaled, int key, Space source, int offset, int lengthBytes) {
        if (qp.state() == QpState.ERR) {
            qp.completeSend(id, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, "QP-23");
            return;
        }
        Qp responder = qp.responder();
        if (responder == null) {
            qp.failSend(id, WcStatus.RETRY_EXC_ERR, WcOpcode.SEND, "WC-36");
            return;
        }
        Receive receive = responder.nextReceive();
        if (receive == null) {
            qp.failSend(id, WcStatus.RNR_RETRY_EXC_ERR, WcOpcode.SEND, "MW-87");
            return;
        }
        if (receive.lengthBytes() < lengthBytes) {
            responder.completeReceive(WcStatus.LOC_LEN_ERR, 0, 0, 0, WcOpcode.RECV, "WC-20");
            responder.fail();
            qp.failSend(id, WcStatus.REM_INV_REQ_ERR, WcOpcode.SEND, "WC-20");
            return;
        }
        receive.space().write(receive.offset(), source.read(offset, lengthBytes), lengthBytes);
        String broken = revoke(responder, key);
        if (broken == null) {
            responder.completeReceive(WcStatus.SUCCESS, lengthBytes, WcFlags.WITH_INV, key, WcOpcode.RECV, "MW-84");
        } else {
            responder.completeReceive(WcStatus.REM_INV_REQ_ERR, 0, 0, 0, WcOpcode.RECV, "MW-85");
            responder.fail();
        }
        WcStatus seen = broken == null ? WcStatus.SUCCESS : qp.hca().conduct().failedRemoteInvalidation();
        if (seen != WcStatus.SUCCESS) {
            qp.failSend(id, seen, WcOpcode.SEND, "WC-35");
        } else if (signaled) {
            qp.completeSend(id, WcStatus.SUCCESS, WcOpcode.SEND, "MW-84");
        }
    }

    /** Returns why not: only a Valid window of type 2, by its full key, over the queue pair that it is bound to (MW-80, MW-85). */
    private static @Nullable String revoke(Qp qp, int key) {
        Window window = qp.hca().windowByIndex(key);
        if (window == null || window.isType1()) {
            return "MW-81";
        }
        Binding binding = window.binding;
        if (binding == null) {
            return window.lastKey() == key ? "MW-82" : "MW-81";
        }
        if (binding.key() != key || !mayRevoke(qp, window, binding)) {
            return "MW-81";
        }
        window.binding = null;
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Domains are themselves and nothing else.
    private static boolean mayRevoke(Qp qp, Window window, Binding binding) {
        return qp.hca().conduct().has(Deviation.ANY_QP_INVALIDATES) ? window.pd() == qp.pd() : binding.isOf(qp);
    }
}
