// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_data_buf;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mw_bind_info;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The requests between wr_start and wr_complete. One thread at a time holds it, from the first call to the last. An error of any call
 * is told by wr_complete, which then posts nothing.
 */
final class Batch {

    private static final int USUAL_ELEMENTS = 4;

    /** A request as it is being described. */
    private static final class Draft {
        private final SendWorkRequest.Refillable request = new SendWorkRequest.Refillable(USUAL_ELEMENTS);
        private long id;
        private WrOpcode opcode = WrOpcode.SEND;
        private int flags;
        private long remoteAddress;
        private int key;
        private int immediate;
        private boolean hasImmediate;
        private long compareOrAdd, swap;
        private boolean isAtomic;
        private int remoteSrq;
        private int flushType = -1, flushLevel, flushLength;
        private @Nullable Ah ah;
        private int remoteQp, remoteQueueKey;
        private @Nullable Mw window;
        private long bindInfo;

        /** Elements as the program has them; or inline data, in a copy. */
        private long elements;

        private int count;
        private long inlineRoom;
        private int inlineRoomBytes;
        private int inlineBytes;
        private boolean isInline;
        private final long own = Native.allocate(ibv_sge.SIZE);
        private final long ownBind = Native.allocate(ibv_mw_bind_info.SIZE);
    }

    private final QueuePair queue;
    private final List<Draft> drafts = new ArrayList<>();
    private int used;
    private int error;
    private final Semaphore holder = new Semaphore(1);

    Batch(QueuePair queue) {
        this.queue = queue;
    }

    void start() {
        holder.acquireUninterruptibly();
        used = 0;
        error = 0;
    }

    void abort() {
        used = 0;
        holder.release();
    }

    /** Begins a request with the wr_id and wr_flags that the struct has. */
    private Draft begin(long qp, WrOpcode opcode) {
        if (used == drafts.size()) {
            drafts.add(new Draft());
        }
        Draft draft = drafts.get(used++);
        draft.id = ibv_qp_ex.wr_id.get(qp);
        draft.flags = ibv_qp_ex.wr_flags.get(qp);
        draft.opcode = opcode;
        draft.remoteAddress = 0;
        draft.key = 0;
        draft.hasImmediate = false;
        draft.isAtomic = false;
        draft.remoteSrq = 0;
        draft.flushType = -1;
        draft.ah = null;
        draft.window = null;
        draft.count = 0;
        draft.isInline = false;
        return draft;
    }

    void send(long qp, WrOpcode opcode, int immediateOrKey) {
        Draft draft = begin(qp, opcode);
        draft.hasImmediate = opcode != WrOpcode.SEND;
        draft.immediate = immediateOrKey;
    }

    void rdma(long qp, WrOpcode opcode, int key, long remoteAddress, int immediate) {
        Draft draft = begin(qp, opcode);
        draft.key = key;
        draft.remoteAddress = remoteAddress;
        draft.hasImmediate = opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        draft.immediate = immediate;
    }

    void atomic(long qp, WrOpcode opcode, int key, long remoteAddress, long compareOrAdd, long swap) {
        rdma(qp, opcode, key, remoteAddress, 0);
        Draft draft = current();
        draft.isAtomic = true;
        draft.compareOrAdd = compareOrAdd;
        draft.swap = swap;
    }

    /** A word that is written at once: its eight bytes are data of the request. */
    void atomicWrite(long qp, int key, long remoteAddress, long word) {
        rdma(qp, WrOpcode.ATOMIC_WRITE, key, remoteAddress, 0);
        inline(word, Long.BYTES);
    }

    void flush(long qp, int key, long remoteAddress, int length, int type, int level) {
        rdma(qp, WrOpcode.FLUSH, key, remoteAddress, 0);
        Draft draft = current();
        draft.flushType = type;
        draft.flushLevel = level;
        draft.flushLength = length;
    }

    void bind(long qp, long mw, int key, long info) {
        Draft draft = begin(qp, WrOpcode.BIND_MW);
        draft.window = Mw.TABLE.find(mw);
        draft.key = key;
        Native.copy(info, draft.ownBind, ibv_mw_bind_info.SIZE);
        draft.bindInfo = draft.ownBind;
        if (draft.window == null) {
            error = Errno.EINVAL.number();
        }
    }

    void invalidate(long qp, int key) {
        send(qp, WrOpcode.LOCAL_INV, key);
    }

    private Draft current() {
        if (used == 0) {
            throw new Refused(Errno.EINVAL.number(), "no request was begun");
        }
        return drafts.get(used - 1);
    }

    void datagram(long ah, int remoteQp, int remoteQueueKey) {
        Draft draft = current();
        draft.ah = Ah.TABLE.find(ah);
        draft.remoteQp = remoteQp;
        draft.remoteQueueKey = remoteQueueKey;
        if (draft.ah == null) {
            error = Errno.EINVAL.number();
        }
    }

    void remoteSrq(int number) {
        current().remoteSrq = number;
    }

    void element(int lkey, long address, int length) {
        Draft draft = current();
        ibv_sge.addr.set(draft.own, address);
        ibv_sge.length.set(draft.own, length);
        ibv_sge.lkey.set(draft.own, lkey);
        elements(1, draft.own);
    }

    /** The list stays the program's until wr_complete. */
    void elements(long count, long list) {
        Draft draft = current();
        if (count < 0 || count > Receives.MOST_ELEMENTS) {
            error = Errno.EINVAL.number();
            return;
        }
        draft.isInline = false;
        draft.elements = list;
        draft.count = (int) count;
    }

    /** Data is copied now. */
    void inline(long from, long length) {
        inlineRoom(length);
        addInline(from, length);
    }

    void inlineList(long count, long list) {
        long length = 0;
        for (long i = 0; i < count; i++) {
            length += ibv_data_buf.length.get(list + i * ibv_data_buf.SIZE);
        }
        inlineRoom(length);
        for (long i = 0; i < count; i++) {
            long at = list + i * ibv_data_buf.SIZE;
            addInline(ibv_data_buf.addr.get(at), ibv_data_buf.length.get(at));
        }
    }

    private void inlineRoom(long length) {
        Draft draft = current();
        draft.isInline = true;
        draft.inlineBytes = 0;
        int most = Math.max(queue.initAttributes().capabilities().maxInlineDataBytes(), Long.BYTES);
        if (length < 0 || length > most) {
            error = Errno.ENOMEM.number();
            draft.isInline = false;
        } else if (draft.inlineRoomBytes < most) {
            Native.free(draft.inlineRoom);
            draft.inlineRoom = Native.allocate(most);
            draft.inlineRoomBytes = most;
        }
    }

    private void addInline(long from, long length) {
        Draft draft = current();
        if (draft.isInline) {
            Native.copy(from, draft.inlineRoom + draft.inlineBytes, length);
            draft.inlineBytes += (int) length;
        }
    }

    /** Posts all; the error number. */
    int complete() {
        try {
            int result = error;
            for (int i = 0; i < used && result == 0; i++) {
                try {
                    queue.postSend(filled(drafts.get(i)));
                } catch (VerbsException e) {
                    result = e.errno().number();
                }
            }
            return result;
        } finally {
            used = 0;
            holder.release();
        }
    }

    private static SendWorkRequest filled(Draft draft) {
        SendWorkRequest.Refillable request = draft.request;
        int flags = draft.isInline ? draft.flags | SendFlags.INLINE : draft.flags;
        request.fill(draft.id, draft.opcode, flags, draft.remoteAddress, draft.key);
        if (draft.hasImmediate) {
            request.immediate(draft.immediate);
        }
        if (draft.isAtomic) {
            request.atomic(draft.compareOrAdd, draft.swap);
        }
        if (draft.ah != null) {
            request.datagram(draft.ah.handle(), draft.remoteQp, draft.remoteQueueKey);
        }
        if (draft.window != null) {
            long info = draft.bindInfo;
            request.bind(
                    draft.window.window(),
                    draft.key,
                    Windows.regionOf(info),
                    ibv_mw_bind_info.addr.get(info),
                    ibv_mw_bind_info.length.get(info),
                    ibv_mw_bind_info.mw_access_flags.get(info));
        }
        if (draft.flushType >= 0) {
            request.flush(draft.flushType, draft.flushLevel, draft.flushLength);
        }
        request.remoteSrq(draft.remoteSrq);
        if (draft.isInline) {
            request.add(draft.inlineRoom, draft.inlineBytes, 0);
        } else {
            for (int i = 0; i < draft.count; i++) {
                long at = draft.elements + (long) i * ibv_sge.SIZE;
                request.add(ibv_sge.addr.get(at), ibv_sge.length.get(at), ibv_sge.lkey.get(at));
            }
        }
        return request;
    }
}
