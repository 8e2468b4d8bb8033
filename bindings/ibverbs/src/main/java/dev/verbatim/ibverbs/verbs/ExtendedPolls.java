// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.VendorErrors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.WorkCompletion;

/** Polling one completion at a time, and reading its fields (ibv_start_poll). */
final class ExtendedPolls {

    private ExtendedPolls() {}

    static int op_start_poll(long cq, long attributes) {
        if (attributes != 0 && Native.getInt(attributes) != 0) {
            throw new Refused(Errno.EINVAL.number(), "the attributes of start_poll have unknown bits");
        }
        return Cq.TABLE.inUse(cq).start() ? 0 : Errno.ENOENT.number();
    }

    static int op_next_poll(long cq) {
        return Cq.TABLE.inUse(cq).next() ? 0 : Errno.ENOENT.number();
    }

    static void op_end_poll(long cq) {
        Cq.TABLE.inUse(cq).end();
    }

    private static WorkCompletion current(long cq) {
        return Cq.TABLE.inUse(cq).current();
    }

    static int op_read_opcode(long cq) {
        return Cq.TABLE.inUse(cq).currentOpcode();
    }

    static int op_read_vendor_err(long cq) {
        return VendorErrors.of(current(cq));
    }

    static int op_read_byte_len(long cq) {
        return current(cq).byteLength();
    }

    /** The raw bytes; or the key that was invalidated, as a number. */
    static int op_read_imm_data(long cq) {
        return Cq.immediateOrKeyOf(current(cq));
    }

    static int op_read_qp_num(long cq) {
        return current(cq).qpNumber();
    }

    static int op_read_src_qp(long cq) {
        return current(cq).sourceQp();
    }

    static int op_read_wc_flags(long cq) {
        return Cq.flagsOf(current(cq));
    }

    static int op_read_slid(long cq) {
        return Cq.ofDatagram(current(cq), 0);
    }

    static int op_read_sl(long cq) {
        return Cq.TABLE.inUse(cq).serviceLevel();
    }

    static int op_read_dlid_path_bits(long cq) {
        return Cq.ofDatagram(current(cq), 0);
    }

    static long op_read_completion_ts(long cq) {
        return current(cq).timestampNanos();
    }

    static int op_read_cvlan(long cq) {
        return 0;
    }

    static int op_read_flow_tag(long cq) {
        return 0;
    }

    static void op_read_tm_info(long cq, long info) {
        Native.clear(info, 2L * Long.BYTES);
    }

    static long op_read_completion_wallclock_ns(long cq) {
        Cq of = Cq.TABLE.inUse(cq);
        return of.context().device().wallClockNanos(of.current().timestampNanos());
    }
}
