// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_mw_bind_info;
import dev.verbatim.ibverbs.abi.Layouts.ibv_send_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Posts chains of {@code struct ibv_send_wr}, by one request that is filled again and again. */
final class Sends {

    private static final int USUAL_ELEMENTS = 4;
    private static final @Nullable WrOpcode[] OPCODES = new WrOpcode[32];

    static {
        for (WrOpcode opcode : WrOpcode.values()) {
            OPCODES[opcode.number()] = opcode;
        }
    }

    private final QueuePair queue;
    private final boolean isDatagram;
    private final boolean isXrc;
    private final SendWorkRequest.Refillable request = new SendWorkRequest.Refillable(USUAL_ELEMENTS);

    Sends(QueuePair queue) {
        this.queue = queue;
        QpType type = queue.initAttributes().type();
        this.isDatagram = type == QpType.UD;
        this.isXrc = type == QpType.XRC_SEND;
    }

    /** Posts a chain; if a request is refused, those before it are posted, and {@code bad} points to it. */
    synchronized void post(long requests, long bad) {
        long at = requests;
        try {
            while (at != 0) {
                fill(at);
                queue.postSend(request);
                if (request.opcode() == WrOpcode.BIND_MW) {
                    Windows.describe(ibv_send_wr.bind_mw$mw.get(at), request.boundKey());
                }
                at = ibv_send_wr.next.get(at);
            }
        } catch (RuntimeException | Error refused) {
            Native.putLong(bad, at);
            throw refused;
        }
    }

    private void fill(long at) {
        int number = ibv_send_wr.opcode.get(at);
        WrOpcode opcode = number >= 0 && number < OPCODES.length ? OPCODES[number] : null;
        if (opcode == null) {
            throw new Refused(Errno.EINVAL.number(), "opcode=" + number + " is not known");
        }
        int flags = ibv_send_wr.send_flags.get(at);
        long id = ibv_send_wr.wr_id.get(at);
        Operation operation = Operation.of(opcode);
        // The union of the struct says what the operation needs.
        SendWorkRequest.Refillable filled = switch (operation.effect) {
            case RECEIVE, INVALIDATE -> request.fill(id, opcode, flags, 0, 0);
            case ATOMIC ->
                request.fill(
                                id,
                                opcode,
                                flags,
                                ibv_send_wr.wr$atomic$remote_addr.get(at),
                                ibv_send_wr.wr$atomic$rkey.get(at))
                        .atomic(ibv_send_wr.wr$atomic$compare_add.get(at), ibv_send_wr.wr$atomic$swap.get(at));
            case BIND -> bind(request.fill(id, opcode, flags, 0, 0), at);
            case WRITE, READ, ATOMIC_WRITE, FLUSH, NOTHING ->
                request.fill(
                        id, opcode, flags, ibv_send_wr.wr$rdma$remote_addr.get(at), ibv_send_wr.wr$rdma$rkey.get(at));
        };
        if (operation.hasImmediate) {
            filled.immediate(ibv_send_wr.imm_data.getBigEndian(at));
        } else if (operation.invalidates) {
            filled.immediate(ibv_send_wr.invalidate_rkey.get(at));
        }
        if (isDatagram) {
            Ah ah = Ah.TABLE.inUse(ibv_send_wr.wr$ud$ah.get(at));
            request.datagram(ah.handle(), ibv_send_wr.wr$ud$remote_qpn.get(at), ibv_send_wr.wr$ud$remote_qkey.get(at));
        }
        if (isXrc) {
            request.remoteSrq(ibv_send_wr.qp_type$xrc$remote_srqn.get(at));
        }
        addElements(at);
    }

    private SendWorkRequest.Refillable bind(SendWorkRequest.Refillable filled, long at) {
        long info = ibv_send_wr.bind_mw$bind_info.of(at);
        return filled.bind(
                Mw.TABLE.inUse(ibv_send_wr.bind_mw$mw.get(at)).window(),
                ibv_send_wr.bind_mw$rkey.get(at),
                Windows.regionOf(info),
                ibv_mw_bind_info.addr.get(info),
                ibv_mw_bind_info.length.get(info),
                ibv_mw_bind_info.mw_access_flags.get(info));
    }

    private void addElements(long at) {
        int count = ibv_send_wr.num_sge.get(at);
        if (count < 0 || count > Receives.MOST_ELEMENTS) {
            throw new Refused(Errno.EINVAL.number(), "num_sge=" + count + " is not in 0.." + Receives.MOST_ELEMENTS);
        }
        long element = ibv_send_wr.sg_list.get(at);
        for (int i = 0; i < count; i++) {
            request.add(ibv_sge.addr.get(element), ibv_sge.length.get(element), ibv_sge.lkey.get(element));
            element += ibv_sge.SIZE;
        }
    }
}
