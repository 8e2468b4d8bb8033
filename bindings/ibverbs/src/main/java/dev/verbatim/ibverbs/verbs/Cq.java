// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_comp_channel;
import dev.verbatim.ibverbs.abi.Layouts.ibv_cq;
import dev.verbatim.ibverbs.abi.Layouts.ibv_cq_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_wc;
import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.ibverbs.cause.VendorErrors;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A {@code struct ibv_cq}, which always has the room and the functions of a {@code struct ibv_cq_ex}. */
public final class Cq extends Struct {

    /** All completion queues. */
    public static final Table<Cq> TABLE = new Table<>(ibv_cq.context, ibv_cq.handle, "ibv_cq");

    private static final int AT_ONCE = 16;

    /** The bit of opcodes of receives: IBV_WC_RECV. */
    private static final int RECEIVE = 1 << 7;

    private static final int POLLS_BETWEEN_YIELDS = 64;

    private static final FunctionTable FUNCTIONS = new FunctionTable()
            .with(ibv_cq_ex.start_poll, "op_start_poll")
            .with(ibv_cq_ex.next_poll, "op_next_poll")
            .with(ibv_cq_ex.end_poll, "op_end_poll")
            .with(ibv_cq_ex.read_opcode, "op_read_opcode")
            .with(ibv_cq_ex.read_vendor_err, "op_read_vendor_err")
            .with(ibv_cq_ex.read_byte_len, "op_read_byte_len")
            .with(ibv_cq_ex.read_imm_data, "op_read_imm_data")
            .with(ibv_cq_ex.read_qp_num, "op_read_qp_num")
            .with(ibv_cq_ex.read_src_qp, "op_read_src_qp")
            .with(ibv_cq_ex.read_wc_flags, "op_read_wc_flags")
            .with(ibv_cq_ex.read_slid, "op_read_slid")
            .with(ibv_cq_ex.read_sl, "op_read_sl")
            .with(ibv_cq_ex.read_dlid_path_bits, "op_read_dlid_path_bits")
            .with(ibv_cq_ex.read_completion_ts, "op_read_completion_ts")
            .with(ibv_cq_ex.read_cvlan, "op_read_cvlan")
            .with(ibv_cq_ex.read_flow_tag, "op_read_flow_tag")
            .with(ibv_cq_ex.read_tm_info, "op_read_tm_info")
            .with(ibv_cq_ex.read_completion_wallclock_ns, "op_read_completion_wallclock_ns");

    private final Context context;
    private final CompletionQueue queue;

    /** By their lengths, as the polls of the program ask for them. */
    private final WorkCompletion[] @Nullable [] holders = new WorkCompletion[AT_ONCE + 1][];

    private final WorkCompletion[] current = {new WorkCompletion()};
    private int currentOpcode;

    private final int networkHeader;

    /** Held from a start_poll that found a completion until end_poll. */
    private final Semaphore reading = new Semaphore(1);

    /** Whose completions these are, while failures are told. */
    private final Posts.Finder posts;

    private boolean isRead;
    private int emptyPolls;

    /** Where it was polled in vain, now and then. */
    private volatile @Nullable NativeCallSite polledAt;

    private volatile int polledIn;

    private final CompletionEvents events = new CompletionEvents();

    Cq(Context context, int entries, long programs, @Nullable Channel channel, int vector, int deviceFlags) {
        super(ibv_cq_ex.SIZE);
        this.context = context;
        posts = new Posts.Finder(context);
        networkHeader = Devices.networkHeaderOf(context.device());
        queue = context.device()
                .createCq(entries, this, channel == null ? null : channel.channel(), vector, deviceFlags);
        ibv_cq.context.set(address(), context.address());
        ibv_cq.channel.set(address(), channel == null ? 0 : channel.address());
        ibv_cq.cq_context.set(address(), programs);
        ibv_cq.cqe.set(address(), queue.entries());
        FUNCTIONS.fill(address());
        if (channel != null) {
            count(channel, 1);
        }
        TABLE.add(this);
    }

    private static void count(Channel channel, int change) {
        Field.I32 users = ibv_comp_channel.refcnt;
        synchronized (channel) {
            users.set(channel.address(), users.get(channel.address()) + change);
        }
    }

    /** The queue of the device. */
    public CompletionQueue queue() {
        return queue;
    }

    Context context() {
        return context;
    }

    /** The program has fetched an event. */
    void eventTaken() {
        events.taken(NativeCallSite.here());
    }

    /** The program acknowledges events; returns how many it owed, which are acknowledged if it has said more. */
    int acknowledge(int count) {
        return events.acknowledge(count);
    }

    /** Destroys it; waits until completion events that the program has fetched are acknowledged, as on Linux. */
    void close() {
        boolean isDestroyed = false;
        while (!isDestroyed) {
            long before = events.acknowledged();
            try {
                AsyncEvents.destroy("ibv_destroy_cq", address(), queue::close);
                isDestroyed = true;
            } catch (VerbsException e) {
                if (e.refusal().brokenRule() != Rule.NT_06) {
                    throw e;
                }
                events.awaitMoreThan(before);
            }
        }
        Channel channel = Channel.TABLE.find(ibv_cq.channel.get(address()));
        if (channel != null) {
            count(channel, -1);
        }
        TABLE.remove(this);
    }

    /** Polls into an array of {@code struct ibv_wc}; the number of completions. */
    synchronized int poll(int most, long completions) {
        int done = 0;
        int wanted = Math.min(most, AT_ONCE);
        while (wanted > 0) {
            WorkCompletion[] into = holders(wanted);
            int count = done == 0 ? queue.poll(into) : pollFurther(into);
            for (int i = 0; i < count; i++) {
                if (Lab.ON) {
                    Lab.polled(context.adapter().index(), context.device(), into[i]);
                }
                if (Causes.ON) {
                    posts.polled(into[i], "op_poll_cq");
                }
                write(into[i], completions + (long) (done + i) * ibv_wc.SIZE);
            }
            done += count;
            wanted = count < wanted ? 0 : Math.min(most - done, AT_ONCE);
        }
        if (done == 0) {
            foundNothing();
        }
        return done;
    }

    /** Programs poll without a pause, on machines whose processors the device's threads need too. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding makes nothing right; it makes a busy machine fair
    private void foundNothing() {
        if (++emptyPolls % POLLS_BETWEEN_YIELDS == 0) {
            Thread.yield();
        }
        if (emptyPolls % POLLS_BETWEEN_YIELDS == 0 || Waits.arePlacesWanted()) {
            polledIn = Waits.looks();
            polledAt = NativeCallSite.here();
        }
    }

    /** Where the program polls in vain at present; null if it does not. */
    @Nullable
    NativeCallSite placeOfPolls() {
        NativeCallSite place = polledAt;
        return Waits.looks() - polledIn <= 1 ? place : null;
    }

    /** A queue that was overrun fails when its good completions have been told. */
    private int pollFurther(WorkCompletion[] into) {
        try {
            return queue.poll(into);
        } catch (VerbsException broken) {
            return 0;
        }
    }

    private WorkCompletion[] holders(int count) {
        WorkCompletion[] known = holders[count];
        if (known == null) {
            known = new WorkCompletion[count];
            Arrays.setAll(known, i -> new WorkCompletion());
            holders[count] = known;
        }
        return known;
    }

    private void write(WorkCompletion from, long to) {
        int opcode = told(from);
        ibv_wc.wr_id.set(to, from.id());
        ibv_wc.status.set(to, from.status().number());
        ibv_wc.opcode.set(to, opcode);
        ibv_wc.vendor_err.set(to, VendorErrors.of(from));
        ibv_wc.byte_len.set(to, from.byteLength());
        ibv_wc.imm_data.set(to, immediateOrKeyOf(from));
        ibv_wc.qp_num.set(to, from.qpNumber());
        ibv_wc.src_qp.set(to, from.sourceQp());
        ibv_wc.wc_flags.set(to, flagsOf(from));
        ibv_wc.pkey_index.set(to, ofDatagram(from, from.pkeyIndex()));
        ibv_wc.slid.set(to, ofDatagram(from, 0));
        ibv_wc.sl.set(to, serviceLevelOf(from));
        ibv_wc.dlid_path_bits.set(to, ofDatagram(from, 0));
    }

    /**
     * The program gets a completion. Where mistakes are looked for, nothing is to be had of what it does not define (ibv_poll_cq(3)).
     *
     * @return the number of its opcode, which is the wrong kind for a failure then: that of a receive for a send, and the other way
     */
    private static int told(WorkCompletion completion) {
        int opcode = completion.opcode().number();
        boolean isFailure = !completion.isSuccess();
        if (isFailure) {
            Messages.failed(completion);
        }
        if (!Misuse.ON) {
            return opcode;
        }
        completion.spoil();
        return isFailure ? (WorkCompletion.RUBBISH & ~RECEIVE) | (~opcode & RECEIVE) : opcode;
    }

    /** The manual does not say that those of a send are undefined. */
    static int flagsOf(WorkCompletion completion) {
        return completion.isSuccess() && !completion.opcode().isReceive() ? 0 : completion.flags();
    }

    /** A field that datagrams alone have. */
    static int ofDatagram(WorkCompletion completion, int value) {
        return Misuse.ON && completion.sourceQp() == WorkCompletion.RUBBISH ? WorkCompletion.RUBBISH : value;
    }

    /**
     * Of a datagram: on Ethernet, where there are no service levels, adapters tell in these bits which network header its 40 bytes
     * hold, and UCX looks there for how to read them.
     */
    private int serviceLevelOf(WorkCompletion of) {
        return ofDatagram(of, of.has(WcFlags.GRH) ? networkHeader : 0);
    }

    /** An immediate is four raw bytes; the key that was invalidated is a number of this machine. */
    static int immediateOrKeyOf(WorkCompletion completion) {
        return (flagsOf(completion) & WcFlags.WITH_INV) != 0
                ? completion.invalidatedKey()
                : Integer.reverseBytes(completion.immediate());
    }

    /** Begins to read completions, if there is one; another thread that wants to waits until {@link #end}. */
    boolean start() {
        if (!reading.tryAcquire()) {
            Waits.during("ibv_start_poll", Cq::stillRead, reading::acquireUninterruptibly);
        }
        boolean found = false;
        try {
            found = next("op_start_poll");
            isRead = found;
            return found;
        } finally {
            if (!found) {
                reading.release();
            }
        }
    }

    private static Waits.Wait stillRead() {
        return new Waits.Wait(
                null, null, "has waited for ibv_end_poll of an ibv_start_poll before it; call that first", null, null);
    }

    void end() {
        if (isRead) {
            isRead = false;
            reading.release();
        }
    }

    /** Makes the next completion the current one; whether there is one. */
    boolean next() {
        return next("op_next_poll");
    }

    private synchronized boolean next(String symbol) {
        if (queue.poll(current) == 0) {
            foundNothing();
            return false;
        }
        if (Lab.ON) {
            Lab.polled(context.adapter().index(), context.device(), current[0]);
        }
        if (Causes.ON) {
            posts.polled(current[0], symbol);
        }
        currentOpcode = told(current[0]);
        ibv_cq_ex.status.set(address(), current[0].status().number());
        ibv_cq_ex.wr_id.set(address(), current[0].id());
        return true;
    }

    int serviceLevel() {
        return serviceLevelOf(current[0]);
    }

    /** That of {@link #current}. */
    int currentOpcode() {
        return currentOpcode;
    }

    /** The completion between start_poll and end_poll. */
    WorkCompletion current() {
        return current[0];
    }

    /** The completion events that the program has fetched. */
    private final class CompletionEvents {

        private int unacknowledged;
        private @Nullable NativeCallSite fetched;
        private long acknowledged;

        synchronized void taken(NativeCallSite here) {
            unacknowledged++;
            fetched = here;
        }

        synchronized int acknowledge(int count) {
            int owed = unacknowledged;
            int fetched = Math.min(count, owed);
            if (fetched > 0) {
                unacknowledged -= fetched;
                acknowledged += fetched;
                queue.acknowledgeEvents(fetched);
                ibv_cq.comp_events_completed.set(address(), (int) acknowledged);
                notifyAll();
            }
            return owed;
        }

        synchronized long acknowledged() {
            return acknowledged;
        }

        private synchronized Waits.Wait owed() {
            return Waits.owed(unacknowledged, "completion events", "ibv_get_cq_event", "ibv_ack_cq_events", fetched);
        }

        /** Waits until more were acknowledged than at an earlier moment, which may be so already. */
        synchronized void awaitMoreThan(long before) {
            try {
                Waits.during("ibv_destroy_cq", this::owed, () -> {
                    while (acknowledged == before) {
                        wait();
                    }
                });
            } catch (InterruptedException e) {
                throw new Refused(Errno.EINTR.number(), "interrupted while completion events are not acknowledged");
            }
        }
    }
}
