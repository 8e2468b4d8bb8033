// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_data_buf;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mw_bind_info;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The requests between wr_start and wr_complete, which posts all of them or none. One thread at a time is between these calls. What a
 * call refuses is told by wr_complete.
 */
final class Batch {

    private static final int USUAL_ELEMENTS = 4;

    /** A request as it is being described, with a copy of its inline data. */
    private static final class Draft {
        private final SendWorkRequest.Refillable request = new SendWorkRequest.Refillable(USUAL_ELEMENTS);
        private long room;
        private @Nullable NativeCallSite site;

        /** The struct of the window that it binds. */
        private long window;
    }

    private final QueuePair queue;

    /** Where requests are posted, while failures are told. */
    private final @Nullable Posts posts;

    private final int mostRequests;
    private final int mostInlineBytes;

    /** Kept for the next time; the first ones are those of {@link #requests}. */
    private final List<Draft> drafts = new ArrayList<>();

    private final List<SendWorkRequest> requests = new ArrayList<>();
    private final Semaphore entry = new Semaphore(1);
    private boolean isBegun;

    /** How many requests were begun, also those that are too many. */
    private int begun;

    /** Why the first request that is wrong is so; null for none. */
    private @Nullable Refused refused;

    Batch(QueuePair queue, @Nullable Posts posts) {
        this.posts = posts;
        QpCapabilities sizes = queue.initAttributes().capabilities();
        this.queue = queue;
        this.mostRequests = Math.max(1, sizes.maxSendWr());
        this.mostInlineBytes = Math.max(sizes.maxInlineDataBytes(), Long.BYTES);
    }

    void start() {
        entry.acquireUninterruptibly();
        isBegun = true;
        refused = null;
        begun = 0;
    }

    void abort() {
        requireBegun();
        end();
    }

    /** Posts all. */
    void complete() {
        requireBegun();
        try {
            if (refused != null) {
                throw refused;
            }
            if (Causes.ON && posts != null) {
                postAll(posts);
            } else {
                queue.postAll(requests);
            }
            for (int i = 0; i < requests.size(); i++) {
                if (requests.get(i).opcode() == WrOpcode.BIND_MW) {
                    Windows.describe(drafts.get(i).window, requests.get(i).boundKey());
                }
            }
        } finally {
            end();
        }
    }

    private void postAll(Posts kept) {
        synchronized (kept.sends()) {
            long before = kept.sends().count();
            for (int i = 0; i < requests.size(); i++) {
                NativeCallSite site = drafts.get(i).site;
                kept.sends().add(requests.get(i).id(), site == null ? NativeCallSite.here() : site);
            }
            try {
                queue.postAll(requests);
            } catch (VerbsException wrong) {
                kept.sends().cutTo(before);
                throw withItsRequest(wrong);
            } catch (RuntimeException | Error wrong) {
                kept.sends().cutTo(before);
                throw wrong;
            }
        }
    }

    private void end() {
        requests.clear();
        isBegun = false;
        entry.release();
    }

    /** The request that is described now is wrong: none is posted, and the first reason is told. */
    private void refuse(int errno, String format, Object... values) {
        if (refused == null) {
            refused = new Refused(errno, String.format(format, values) + ", in " + inWords(begun, current()));
        }
    }

    private static String inWords(int number, Draft draft) {
        return String.format(
                "request %d of the batch, %s wr_id=%s%s; none of them is posted",
                number,
                draft.request.opcode(),
                Long.toUnsignedString(draft.request.id()),
                draft.site == null ? "" : " begun at " + draft.site);
    }

    /** The device refused one of the requests, or found no room for all. */
    private VerbsException withItsRequest(VerbsException wrong) {
        Refusal reason = wrong.refusal();
        String which = wrong.errno() == Errno.ENOMEM
                ? "none of the " + requests.size() + " requests of the batch is posted"
                : inWords(wrong.badRequest() + 1, drafts.get(wrong.badRequest()));
        return new VerbsException(
                wrong.errno(), Refusal.of(reason.brokenRule(), "%s", which).causedBy(reason));
    }

    private void requireBegun() {
        if (!isBegun) {
            throw new Refused(Errno.EINVAL.number(), "wr_start was not called");
        }
    }

    /** Begins a request with the wr_id and wr_flags that the struct has; a program that begins too many describes the last one anew. */
    SendWorkRequest.Refillable begin(long qp, WrOpcode opcode, long remoteAddress, int remoteKey) {
        requireBegun();
        begun++;
        boolean isTooMany = requests.size() == mostRequests;
        if (isTooMany) {
            requests.remove(mostRequests - 1);
        }
        int index = requests.size();
        if (index == drafts.size()) {
            drafts.add(new Draft());
        }
        SendWorkRequest.Refillable request = drafts.get(index).request;
        requests.add(request);
        if (Causes.ON) {
            drafts.get(index).site = NativeCallSite.here();
        }
        int flags = ibv_qp_ex.wr_flags.get(qp) & ~SendFlags.INLINE;
        request.fill(ibv_qp_ex.wr_id.get(qp), opcode, flags, remoteAddress, remoteKey);
        if (isTooMany) {
            refuse(Errno.ENOMEM.number(), "more requests than max_send_wr=%d", mostRequests);
        }
        return request;
    }

    /** A word that is written at once: its eight bytes are data of the request. */
    void atomicWrite(long qp, int key, long remoteAddress, long word) {
        begin(qp, WrOpcode.ATOMIC_WRITE, remoteAddress, key);
        inline(word, Long.BYTES);
    }

    void flush(long qp, int key, long remoteAddress, long length, int type, int level) {
        begin(qp, WrOpcode.FLUSH, remoteAddress, key).flush(type, level, (int) length);
        if (length >>> Integer.SIZE != 0) {
            refuse(Errno.EINVAL.number(), "len=%s of a FLUSH needs more than 32 bits", Long.toUnsignedString(length));
        }
    }

    void bind(long qp, long mw, int key, long info) {
        SendWorkRequest.Refillable request = begin(qp, WrOpcode.BIND_MW, 0, 0);
        try {
            request.bind(
                    Mw.TABLE.inUse(mw).window(),
                    key,
                    Windows.regionOf(info),
                    ibv_mw_bind_info.addr.get(info),
                    ibv_mw_bind_info.length.get(info),
                    ibv_mw_bind_info.mw_access_flags.get(info));
            current().window = mw;
        } catch (Refused wrong) {
            refuse(wrong.errno(), "%s", String.valueOf(wrong.getMessage()));
        }
    }

    private Draft current() {
        int count = requests.size();
        if (count == 0) {
            throw new Refused(Errno.EINVAL.number(), "no request was begun");
        }
        return drafts.get(count - 1);
    }

    void datagram(long ah, int remoteQp, int remoteQueueKey) {
        Draft draft = current();
        try {
            draft.request.datagram(Ah.TABLE.inUse(ah).handle(), remoteQp, remoteQueueKey);
        } catch (Refused wrong) {
            refuse(wrong.errno(), "%s", String.valueOf(wrong.getMessage()));
        }
    }

    void remoteSrq(int number) {
        current().request.remoteSrq(number);
    }

    void element(int lkey, long address, int length) {
        current().request.add(address, length, lkey);
    }

    void elements(long count, long list) {
        SendWorkRequest.Refillable request = current().request;
        if (count < 0 || count > Receives.MOST_ELEMENTS) {
            refuse(Errno.EINVAL.number(), "num_sge=%d is not in 0..%d", count, Receives.MOST_ELEMENTS);
            return;
        }
        long end = list + count * ibv_sge.SIZE;
        for (long at = list; at < end; at += ibv_sge.SIZE) {
            request.add(ibv_sge.addr.get(at), ibv_sge.length.get(at), ibv_sge.lkey.get(at));
        }
    }

    /** Data is copied now. */
    void inline(long from, long length) {
        Draft draft = current();
        if (Long.compareUnsigned(length, mostInlineBytes) > 0) {
            refuseInline(Long.toUnsignedString(length));
            return;
        }
        Native.copy(from, roomOf(draft), length);
        inlined(draft, (int) length);
    }

    void inlineList(long count, long list) {
        Draft draft = current();
        long room = roomOf(draft);
        int used = 0;
        long end = list + count * ibv_data_buf.SIZE;
        for (long at = list; at < end; at += ibv_data_buf.SIZE) {
            long length = ibv_data_buf.length.get(at);
            if (Long.compareUnsigned(length, mostInlineBytes - used) > 0) {
                refuseInline(used + "+" + Long.toUnsignedString(length));
                return;
            }
            Native.copy(ibv_data_buf.addr.get(at), room + used, length);
            used += (int) length;
        }
        inlined(draft, used);
    }

    private void refuseInline(String lengthBytes) {
        refuse(
                Errno.ENOMEM.number(),
                "%s inline bytes do not fit max_inline_data=%d of the queue pair",
                lengthBytes,
                queue.initAttributes().capabilities().maxInlineDataBytes());
    }

    private long roomOf(Draft draft) {
        if (draft.room == 0) {
            draft.room = Native.allocate(mostInlineBytes);
        }
        return draft.room;
    }

    private static void inlined(Draft draft, int length) {
        draft.request.flags(draft.request.flags() | SendFlags.INLINE);
        draft.request.add(draft.room, length, 0);
    }

    /** Frees the copies, when the queue pair is destroyed. */
    void free() {
        for (Draft draft : drafts) {
            Native.free(draft.room);
        }
        drafts.clear();
    }
}
