// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;

/**
 * A request of a flow. Memory is counted in slots of {@link Flow#SLOT_BYTES}.
 *
 * @param opcode what it is
 * @param ownSlot slot of the requester
 * @param farSlot slot of the responder; of SENDs without meaning
 * @param lengthBytes of the message
 * @param flags of the request
 * @param throughWindow whether it names the key of the flow's window
 * @param operand what is added, or compared
 * @param swap what takes the place of what is compared
 * @param immediate immediate data
 */
record FlowRequest(
        WrOpcode opcode,
        int ownSlot,
        int farSlot,
        int lengthBytes,
        int flags,
        boolean throughWindow,
        long operand,
        long swap,
        int immediate) {

    /** A signaled WRITE, as follows a request that fails. */
    static FlowRequest write(int slot, int lengthBytes) {
        return new FlowRequest(WrOpcode.RDMA_WRITE, slot, slot, lengthBytes, SendFlags.SIGNALED, false, 0, 0, 0);
    }

    boolean isSignaled() {
        return (flags & SendFlags.SIGNALED) != 0;
    }

    boolean isAtomic() {
        return Operation.of(opcode).effect == Effect.ATOMIC;
    }

    /** Whether it changes memory of the requester. */
    boolean hasResult() {
        return Operation.of(opcode).effect.returnsData;
    }

    boolean isSend() {
        return Operation.of(opcode).effect == Effect.RECEIVE;
    }

    boolean takesReceive() {
        return Operation.of(opcode).takesReceive;
    }

    @Override
    public String toString() {
        return opcode + " own=" + ownSlot + " far=" + farSlot + " len=" + lengthBytes + " flags=" + flags
                + (throughWindow ? " window" : "");
    }
}
