// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Binding: by verb for type 1 (B.2), by work request for type 2 (B.3), and the checks when it executes (B.4). */
final class Binds {

    private static final int WINDOW_RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.ZERO_BASED;
    private static final int CHANGING_RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private Binds() {}

    /** {@code ibv_bind_mw}. */
    static Answer byVerb(Qp qp, Bind bind) {
        Answer refusal = refusalOfVerb(qp, bind);
        if (!refusal.isOk()) {
            return refusal;
        }
        Window window = bind.window();
        window.rkey = Keys.next(window.rkey); // MW-20: before it executes, and whatever comes of it (MW-21, MW-60).
        execute(qp, bind, window.rkey);
        return Answer.OK;
    }

    @SuppressWarnings("ReferenceEquality") // Domains are themselves and nothing else.
    private static Answer refusalOfVerb(Qp qp, Bind bind) {
        Window window = bind.window();
        Region region = bind.region();
        if (isGone(bind)) {
            return Answer.refuse(Errno.EINVAL, "MW-58");
        }
        if (!window.isType1()) {
            return Answer.refuse(Errno.EINVAL, "MW-10");
        }
        if (region == null && (bind.address() != 0 || bind.lengthBytes() != 0)) {
            return Answer.refuse(Errno.EINVAL, "MW-11");
        }
        if (region != null && region.pd() != window.pd()) {
            return Answer.refuse(Errno.EPERM, "MW-12");
        }
        if ((bind.access() & AccessFlags.ZERO_BASED) != 0) {
            return Answer.refuse(Errno.EINVAL, "MW-13");
        }
        if (region != null && cannotBeBoundTo(region, qp)) {
            return Answer.refuse(Errno.EINVAL, "MW-14");
        }
        return refusalOfState(qp, "MW-17");
    }

    /** {@code ibv_post_send} of BIND_MW. */
    static Answer byWorkRequest(Qp qp, Bind bind) {
        Window window = bind.window();
        Answer refusal = refusalOfState(qp, "QP-20");
        if (!refusal.isOk()) {
            return refusal;
        }
        if (isGone(bind)) {
            return Answer.refuse(Errno.EINVAL, "MW-58");
        }
        if (window.isType1()) {
            return Answer.refuse(Errno.EINVAL, "MW-25");
        }
        int key = Keys.withVariant(window.rkey, bind.rkey());
        if (qp.hca().conduct().has(Deviation.BIND_UPDATES_RKEY)) {
            window.rkey = key;
        }
        execute(qp, bind, key);
        return Answer.OK;
    }

    private static Answer refusalOfState(Qp qp, String rule) {
        return qp.state() == QpState.RESET ? Answer.refuse(Errno.EINVAL, rule) : Answer.OK;
    }

    private static boolean isGone(Bind bind) {
        Region region = bind.region();
        return !bind.window().isAllocated || (region != null && !region.isRegistered);
    }

    private static void execute(Qp qp, Bind bind, int key) {
        if (qp.state() == QpState.ERR) {
            qp.completeSend(bind.id(), WcStatus.WR_FLUSH_ERR, WcOpcode.BIND_MW, "MW-60");
            return;
        }
        String broken = brokenRule(qp, bind, key);
        if (broken != null) {
            fail(qp, bind, broken);
            return;
        }
        bind.window().bind(key, bindingOf(qp, bind, key));
        if (bind.window().isType1()) {
            qp.hca().keys().stepped(key);
        } else {
            qp.hca().keys().chosen(key);
        }
        if (bind.signaled()) {
            qp.completeSend(bind.id(), WcStatus.SUCCESS, WcOpcode.BIND_MW, "MW-23");
        }
    }

    /** WC-33, signaled or not. */
    private static void fail(Qp qp, Bind bind, String broken) {
        Conduct conduct = qp.hca().conduct();
        if (!bind.signaled() && conduct.has(Deviation.UNSIGNALED_BIND_FAILS_UNTOLD)) {
            qp.fail();
        } else {
            qp.failSend(bind.id(), WcStatus.MW_BIND_ERR, WcOpcode.BIND_MW, broken);
        }
    }

    private static boolean cannotBeBoundTo(Region region, Qp qp) {
        return region.isZeroBased() && !qp.hca().conduct().has(Deviation.ZERO_BASED_REGIONS);
    }

    private static int rightsOfWindows(Conduct conduct) {
        int rights = WINDOW_RIGHTS;
        rights |= conduct.has(Deviation.MW_BIND_IS_A_RIGHT) ? AccessFlags.MW_BIND : 0;
        rights &= conduct.has(Deviation.NO_ZERO_BASED) ? ~AccessFlags.ZERO_BASED : ~0;
        return rights;
    }

    private static @Nullable Binding bindingOf(Qp qp, Bind bind, int key) {
        Region region = bind.region();
        return region == null || bind.lengthBytes() == 0
                ? null
                : new Binding(key, region, bind.address(), bind.lengthBytes(), bind.access(), qp, qp.identity);
    }

    /** The checks of B.4, in their order. */
    @SuppressWarnings("ReferenceEquality") // As above.
    private static @Nullable String brokenRule(Qp qp, Bind bind, int key) {
        Window window = bind.window();
        Conduct conduct = qp.hca().conduct();
        if (window.isType1() && conduct.has(Deviation.CURRENT_KEY_IS_COMPARED) && key != Keys.next(window.lastKey())) {
            return "MW-41";
        }
        if ((bind.access() & ~rightsOfWindows(conduct)) != 0) {
            return "MW-43";
        }
        if (window.isType2() && window.binding != null) {
            return "MW-45";
        }
        if (window.isType2() && conduct.has(Deviation.NO_SAME_KEY_REBIND) && window.hadBefore(key)) {
            return "MW-33";
        }
        if (qp.pd() != window.pd()) {
            return "MW-46";
        }
        Region region = bind.region();
        if (region == null || bind.lengthBytes() == 0) {
            return window.isType2() ? "MW-47" : null; // Of type 1 it unbinds (MW-24).
        }
        if (region.pd() != window.pd()) {
            return "MW-48";
        }
        if (cannotBeBoundTo(region, qp)) {
            return "MW-49";
        }
        if (!region.grants(AccessFlags.MW_BIND)) {
            return "MW-50";
        }
        if ((bind.access() & CHANGING_RIGHTS) != 0 && !region.grants(AccessFlags.LOCAL_WRITE)) {
            return "MW-51"; // And no other right of the region is asked for (MW-54).
        }
        boolean isChecked = !conduct.has(Deviation.RANGE_IS_CHECKED_LATE);
        return isChecked && !region.covers(bind.address(), bind.lengthBytes()) ? "MW-52" : null;
    }
}
