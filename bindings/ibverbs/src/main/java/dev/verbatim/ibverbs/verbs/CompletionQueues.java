// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_cq;
import dev.verbatim.ibverbs.abi.Layouts.ibv_cq_init_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_modify_cq_attr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Completion queues and channels. */
final class CompletionQueues {

    /** Bits of {@code ibv_cq_init_attr_ex}: comp_mask flags and parent domain; flags single-threaded and ignore-overrun. */
    private static final int MASK = 3, MASK_FLAGS = 1, FLAGS = 3;

    /** {@code wc_flags}: the fields that can be read; time stamps are asked of the device. */
    private static final long STANDARD = 0x7f,
            TIMESTAMP = 1 << 7,
            CVLAN = 1 << 8,
            FLOW_TAG = 1 << 9,
            WALL_CLOCK = 1 << 11;

    private static final int MODERATE = 1;

    private CompletionQueues() {}

    static long ibv_create_comp_channel(long context) {
        return new Channel(Context.TABLE.at(context)).address();
    }

    static int ibv_destroy_comp_channel(long channel) {
        Channel.TABLE.at(channel).close();
        return 0;
    }

    static long ibv_create_cq(long context, int entries, long programs, long channel, int vector) {
        return new Cq(Context.TABLE.at(context), entries, programs, channelAt(channel), vector, 0).address();
    }

    private static @Nullable Channel channelAt(long channel) {
        return channel == 0 ? null : Channel.TABLE.at(channel);
    }

    static long op_create_cq_ex(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_cq_init_attr_ex.comp_mask.get(attributes);
        int flags = (mask & MASK_FLAGS) == 0 ? 0 : ibv_cq_init_attr_ex.flags.get(attributes);
        long fields = ibv_cq_init_attr_ex.wc_flags.get(attributes);
        if ((mask & ~MASK) != 0 || (flags & ~FLAGS) != 0) {
            throw new Refused(
                    Errno.EOPNOTSUPP.number(), "comp_mask=" + mask + " flags=" + flags + " have unknown bits");
        }
        if ((fields & ~(STANDARD | TIMESTAMP | WALL_CLOCK)) != 0) {
            throw new Refused(
                    Errno.EOPNOTSUPP.number(),
                    "wc_flags=" + fields + " ask for more than this device tells; without " + (CVLAN | FLOW_TAG));
        }
        boolean timed = (fields & (TIMESTAMP | WALL_CLOCK)) != 0;
        return new Cq(
                        of,
                        ibv_cq_init_attr_ex.cqe.get(attributes),
                        ibv_cq_init_attr_ex.cq_context.get(attributes),
                        channelAt(ibv_cq_init_attr_ex.channel.get(attributes)),
                        ibv_cq_init_attr_ex.comp_vector.get(attributes),
                        timed ? CompletionQueue.WITH_TIMESTAMP : 0)
                .address();
    }

    static int ibv_resize_cq(long cq, int entries) {
        Cq of = Cq.TABLE.at(cq);
        of.queue().resize(entries);
        ibv_cq.cqe.set(cq, of.queue().entries());
        return 0;
    }

    static int ibv_destroy_cq(long cq) {
        Cq.TABLE.toDestroy(cq).close();
        return 0;
    }

    static int op_modify_cq(long cq, long attributes) {
        Cq of = Cq.TABLE.at(cq);
        if (ibv_modify_cq_attr.attr_mask.get(attributes) != MODERATE) {
            throw new Refused(Errno.EINVAL.number(), "attr_mask is not IBV_CQ_ATTR_MODERATE");
        }
        long moderate = ibv_modify_cq_attr.moderate.of(attributes);
        of.queue().moderate(Native.getShort(moderate) & 0xffff, Native.getShort(moderate + 2) & 0xffff);
        return 0;
    }

    static int op_poll_cq(long cq, int most, long completions) {
        return Cq.TABLE.inUse(cq).poll(most, completions);
    }

    static int op_req_notify_cq(long cq, int solicitedOnly) {
        Cq.TABLE.inUse(cq).queue().requestNotify(solicitedOnly != 0);
        return 0;
    }

    /** Before the descriptor is read, while mistakes are looked for. */
    static void await_cq_event(long channel) {
        if (Misuse.ON) {
            Misuse.awaits(Channel.TABLE.at(channel).channel());
        }
    }

    /** After the descriptor was read: 0 if there was an event, 1 if there is none any more. */
    static int take_cq_event(long channel, long cq, long context) {
        // Programs that wait by poll(2) tell it no sooner.
        await_cq_event(channel);
        CompletionEvent event = Channel.TABLE.at(channel).channel().pollEvent();
        if (event == null) {
            return 1;
        }
        Cq of = (Cq) Objects.requireNonNull(event.cq().context());
        of.eventTaken();
        Native.putLong(cq, of.address());
        Native.putLong(context, ibv_cq.cq_context.get(of.address()));
        return 0;
    }

    static void ibv_ack_cq_events(long cq, int count) {
        int said = count < 0 ? Integer.MAX_VALUE : count;
        int owed = Cq.TABLE.at(cq).acknowledge(said);
        if (said > owed) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    "nevents=" + Integer.toUnsignedString(count) + " is more than the " + owed
                            + " events that were fetched and not acknowledged; with libibverbs ibv_destroy_cq would wait for"
                            + " ever, so acknowledge each event once");
        }
    }
}
