// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A send work request ({@code struct ibv_send_wr}): immutable, but for a {@link Refillable}, and reusable as often as
 * one likes. Chains are lists, posted by {@link QueuePair#postSend(List)}.
 *
 * <p>The opcode determines which fields are used, as in libibverbs; the others are 0.
 */
public sealed class SendWorkRequest permits SendWorkRequest.Refillable {

    private static final Sge[] NO_ELEMENTS = {};

    private long id;
    private WrOpcode opcode;
    private int flags;
    private final Sge[] elements;

    /** The elements instead, of a {@link Refillable}. */
    private final @Nullable ElementRoom room;

    private long remoteAddress;
    private int remoteKey;
    private long compareOrAdd;
    private long swap;
    private int immediate;
    private @Nullable MemoryWindow window;
    private @Nullable BindInfo bindInfo;
    private @Nullable Datagram datagram;
    private int remoteSrq;
    private @Nullable FlushTarget flushTarget;

    private SendWorkRequest(
            long id,
            WrOpcode opcode,
            int flags,
            Sge[] elements,
            @Nullable ElementRoom room,
            long remoteAddress,
            int remoteKey,
            long compareOrAdd,
            long swap,
            int immediate,
            @Nullable MemoryWindow window,
            @Nullable BindInfo bindInfo,
            @Nullable Datagram datagram,
            int remoteSrq,
            @Nullable FlushTarget flushTarget) {
        this.id = id;
        this.opcode = opcode;
        this.flags = flags;
        this.elements = elements;
        this.room = room;
        this.remoteAddress = remoteAddress;
        this.remoteKey = remoteKey;
        this.compareOrAdd = compareOrAdd;
        this.swap = swap;
        this.immediate = immediate;
        this.window = window;
        this.bindInfo = bindInfo;
        this.datagram = datagram;
        this.remoteSrq = remoteSrq;
        this.flushTarget = flushTarget;
    }

    /** A signaled SEND that gathers {@code elements}. */
    public static SendWorkRequest send(long id, Sge... elements) {
        return of(id, WrOpcode.SEND, 0, 0, 0, 0, 0, elements);
    }

    /** A signaled SEND_WITH_IMM; {@code immediate} is the four raw bytes, never swapped (WR-23). */
    public static SendWorkRequest sendWithImmediate(long id, int immediate, Sge... elements) {
        return of(id, WrOpcode.SEND_WITH_IMM, 0, 0, 0, 0, immediate, elements);
    }

    /**
     * A signaled RDMA_WRITE of {@code elements} to {@code remoteAddress}. Bytes arrive as they lie in memory, in no
     * particular byte order and with any alignment; of what is aligned to 8 bytes no word is seen half written. Bytes
     * are placed in any order: a program that reads the memory must wait for a message behind the WRITE.
     *
     * <p>If access is refused, the completion has REM_ACCESS_ERR for key, range or rights (MR-22), or LOC_PROT_ERR for
     * the elements (MR-40), and the queue pair is in ERR.
     *
     * @param id of any value; the completion has it
     * @param remoteAddress where the first byte goes: an address of the peer's region, or an offset where that is
     *     ZERO_BASED
     * @param remoteKey the peer's {@link MemoryRegion#rkey()}, or the key of a window
     * @param elements what is written, in this order; 0 to 2^31 bytes in all, none for a WRITE of no bytes (WR-17)
     */
    public static SendWorkRequest write(long id, long remoteAddress, int remoteKey, Sge... elements) {
        return of(id, WrOpcode.RDMA_WRITE, remoteAddress, remoteKey, 0, 0, 0, elements);
    }

    /** A signaled RDMA_WRITE_WITH_IMM, which consumes a receive at the peer (WR-31). */
    public static SendWorkRequest writeWithImmediate(
            long id, long remoteAddress, int remoteKey, int immediate, Sge... elements) {
        return of(id, WrOpcode.RDMA_WRITE_WITH_IMM, remoteAddress, remoteKey, 0, 0, immediate, elements);
    }

    /**
     * A signaled RDMA_READ from {@code remoteAddress} that fills {@code elements}. Bytes arrive as they are in the
     * peer's memory, with any alignment and in no particular byte order. Read them after the READ has completed.
     *
     * <p>It needs max_rd_atomic above 0 here, and max_dest_rd_atomic above 0 at the peer (WR-33). If access is refused,
     * the completion has REM_ACCESS_ERR, or LOC_PROT_ERR if the region of the elements has no LOCAL_WRITE (MR-10).
     *
     * @param id of any value; the completion has it
     * @param remoteAddress of the first byte: an address of the peer's region, or an offset where that is
     *     ZERO_BASED
     * @param remoteKey the peer's {@link MemoryRegion#rkey()}, of a region with REMOTE_READ, or the key of a window
     * @param elements where the bytes go, in this order; 0 to 2^31 bytes in all (WR-17)
     */
    public static SendWorkRequest read(long id, long remoteAddress, int remoteKey, Sge... elements) {
        return of(id, WrOpcode.RDMA_READ, remoteAddress, remoteKey, 0, 0, 0, elements);
    }

    /**
     * A signaled ATOMIC_CMP_AND_SWP: the 64-bit word at {@code remoteAddress} becomes {@code swap} if it equals
     * {@code compare}; its prior value lands in {@code result} in either case (WR-36).
     */
    public static SendWorkRequest compareAndSwap(
            long id, long remoteAddress, int remoteKey, long compare, long swap, Sge... result) {
        return of(id, WrOpcode.ATOMIC_CMP_AND_SWP, remoteAddress, remoteKey, compare, swap, 0, result);
    }

    /**
     * A signaled ATOMIC_FETCH_AND_ADD: adds to the 64-bit word at {@code remoteAddress}, wrapping around; its prior
     * value lands in {@code result} (WR-36). Word and result are in the byte order of the machine that they lie on
     * ({@link java.nio.ByteOrder#nativeOrder()}), which is that of {@link Memory#buffer()}.
     *
     * <p>The completion has REM_INV_REQ_ERR if the address is not a multiple of 8 (WR-35), and REM_ACCESS_ERR if the
     * peer's region has no REMOTE_ATOMIC. If the result is not of 8 bytes, the completion has LOC_QP_OP_ERR or posting
     * fails (WR-34).
     *
     * @param id of any value; the completion has it
     * @param remoteAddress of the word, a multiple of 8
     * @param remoteKey the peer's {@link MemoryRegion#rkey()}, or the key of a window
     * @param add what is added, modulo 2^64
     * @param result 8 bytes in all, of a region with LOCAL_WRITE
     */
    public static SendWorkRequest fetchAndAdd(long id, long remoteAddress, int remoteKey, long add, Sge... result) {
        return of(id, WrOpcode.ATOMIC_FETCH_AND_ADD, remoteAddress, remoteKey, add, 0, 0, result);
    }

    /**
     * A signaled BIND_MW of a window of type 2.
     *
     * @param rkey its lower 8 bits become those of the window's key (MW-30): see {@link #boundKey()}
     */
    public static SendWorkRequest bindWindow(long id, MemoryWindow window, int rkey, BindInfo info) {
        return bind(id, SendFlags.SIGNALED, window, rkey, info);
    }

    /** A BIND_MW with exactly these {@link SendFlags}; a device posts one to itself for each bind of a window of type 1. */
    public static SendWorkRequest bind(long id, int flags, MemoryWindow window, int rkey, BindInfo info) {
        return new SendWorkRequest(
                id,
                WrOpcode.BIND_MW,
                flags,
                NO_ELEMENTS,
                null,
                0,
                Rkey.withVariant(window.rkey(), rkey),
                0,
                0,
                0,
                window,
                Objects.requireNonNull(info, "info"),
                null,
                0,
                null);
    }

    /** A signaled LOCAL_INV of the window of type 2 that has this key, all 32 bits of it (MW-80). */
    public static SendWorkRequest localInvalidate(long id, int rkey) {
        return of(id, WrOpcode.LOCAL_INV, 0, 0, 0, 0, rkey);
    }

    /** A signaled SEND_WITH_INV: a SEND that also invalidates the peer's window with this key (MW-84). */
    public static SendWorkRequest sendWithInvalidate(long id, int rkey, Sge... elements) {
        return of(id, WrOpcode.SEND_WITH_INV, 0, 0, 0, 0, rkey, elements);
    }

    /** A signaled request of any opcode except BIND_MW and FLUSH; fields that the opcode does not use are ignored. */
    public static SendWorkRequest of(
            long id,
            WrOpcode opcode,
            long remoteAddress,
            int remoteKey,
            long compareOrAdd,
            long swap,
            int immediate,
            Sge... elements) {
        return new SendWorkRequest(
                id,
                opcode,
                SendFlags.SIGNALED,
                elements.clone(),
                null,
                remoteAddress,
                remoteKey,
                compareOrAdd,
                swap,
                immediate,
                null,
                null,
                null,
                0,
                null);
    }

    /**
     * A signaled ATOMIC_WRITE of the 8 bytes that {@code elements} name, in one piece, to {@code remoteAddress}, a multiple of 8
     * (NW-01).
     */
    public static SendWorkRequest atomicWrite(long id, long remoteAddress, int remoteKey, Sge... elements) {
        return of(id, WrOpcode.ATOMIC_WRITE, remoteAddress, remoteKey, 0, 0, 0, elements);
    }

    /**
     * A signaled FLUSH: it succeeds when earlier WRITEs of the queue pair have the placement of {@code target} (NW-02).
     */
    public static SendWorkRequest flush(long id, long remoteAddress, int remoteKey, FlushTarget target) {
        return new SendWorkRequest(
                id,
                WrOpcode.FLUSH,
                SendFlags.SIGNALED,
                NO_ELEMENTS,
                null,
                remoteAddress,
                remoteKey,
                0,
                0,
                0,
                null,
                null,
                null,
                0,
                Objects.requireNonNull(target, "target"));
    }

    /** Returns a copy with this destination, for UD. */
    public SendWorkRequest to(AddressHandle addressHandle, int remoteQp, int remoteQueueKey) {
        return with(flags, new Datagram(addressHandle, remoteQp, remoteQueueKey), remoteSrq);
    }

    /** Returns a copy for the shared receive queue with this number, for XRC. */
    public SendWorkRequest toSrq(int number) {
        return with(flags, datagram, number);
    }

    /** Returns an immutable request: a copy if this is a {@link Refillable}. */
    public SendWorkRequest frozen() {
        return this;
    }

    /** The same request with exactly these {@link SendFlags}. */
    public SendWorkRequest withFlags(int sendFlags) {
        return with(sendFlags, datagram, remoteSrq);
    }

    private SendWorkRequest with(int sendFlags, @Nullable Datagram destination, int srqNumber) {
        return new SendWorkRequest(
                id,
                opcode,
                sendFlags,
                room == null ? elements : room.toArray(),
                null,
                remoteAddress,
                remoteKey,
                compareOrAdd,
                swap,
                immediate,
                window,
                bindInfo,
                destination,
                srqNumber,
                flushTarget);
    }

    /** The same request with these {@link SendFlags} added. */
    public SendWorkRequest plus(int sendFlags) {
        return withFlags(flags | sendFlags);
    }

    /** The same request without a completion on success. */
    public SendWorkRequest unsignaled() {
        return withFlags(flags & ~SendFlags.SIGNALED);
    }

    /** The wr_id of the caller, returned in the completion. */
    public long id() {
        return id;
    }

    /** The operation. */
    public WrOpcode opcode() {
        return opcode;
    }

    /** The {@link SendFlags}. */
    public int flags() {
        return flags;
    }

    /** Whether all of these {@link SendFlags} are set. */
    public boolean has(int sendFlags) {
        return (flags & sendFlags) == sendFlags;
    }

    /** Number of scatter/gather elements. */
    public int elementCount() {
        ElementRoom held = room;
        return held == null ? elements.length : held.count();
    }

    /** One scatter/gather element; a new object each time if this is a {@link Refillable}. */
    public Sge element(int index) {
        ElementRoom held = room;
        return held == null ? elements[index] : new Sge(held.address(index), held.lengthBytes(index), held.lkey(index));
    }

    /** Whether that element is not null, which posting refuses (WR-10). */
    public boolean hasElement(int index) {
        return room != null || elements[index] != null;
    }

    /** Address of an element. */
    public long elementAddress(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].address() : held.address(index);
    }

    /** Number of bytes of an element, unsigned. */
    public int elementLengthBytes(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].lengthBytes() : held.lengthBytes(index);
    }

    /** Local key of an element. */
    public int elementLkey(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].lkey() : held.lkey(index);
    }

    /** Address at the peer, for RDMA and atomics. */
    public long remoteAddress() {
        return remoteAddress;
    }

    /** Key at the peer, for RDMA and atomics. */
    public int remoteKey() {
        return remoteKey;
    }

    /** The compare value, or the addend ({@code compare_add}). */
    public long compareOrAdd() {
        return compareOrAdd;
    }

    /** The swap value. */
    public long swap() {
        return swap;
    }

    /** Immediate data: four raw bytes. */
    public int immediate() {
        return immediate;
    }

    /** The key that LOCAL_INV or SEND_WITH_INV invalidates; shares its place with {@link #immediate()}, as in libibverbs. */
    public int invalidateKey() {
        return immediate;
    }

    /** The window that BIND_MW binds; null for other opcodes. */
    public @Nullable MemoryWindow window() {
        return window;
    }

    /** The range and rights of BIND_MW; null for other opcodes. */
    public @Nullable BindInfo bindInfo() {
        return bindInfo;
    }

    /** The key of the window after this BIND_MW has executed, which the peer needs. */
    public int boundKey() {
        return remoteKey;
    }

    /** The destination, for UD; null otherwise. */
    public @Nullable Datagram datagram() {
        return datagram;
    }

    /** Number of the destination's shared receive queue, for XRC ({@code remote_srqn}); 0 otherwise. */
    public int remoteSrq() {
        return remoteSrq;
    }

    /** The target of a FLUSH; null for other opcodes. */
    public @Nullable FlushTarget flushTarget() {
        return flushTarget;
    }

    /** Length of the message: the sum of its elements. */
    public long lengthBytes() {
        long sum = 0;
        int count = elementCount();
        for (int i = 0; i < count; i++) {
            sum += Integer.toUnsignedLong(elementLengthBytes(i));
        }
        return sum;
    }

    /** One line such as {@code RDMA_WRITE wr_id=7 length=64 remote=0x7f0000001000 rkey=0x00000100 FENCE}. */
    @Override
    public String toString() {
        String text = opcode + " wr_id=" + id + described();
        int notable = flags & ~SendFlags.SIGNALED;
        return notable == 0 ? text : text + " " + SendFlags.describe(notable);
    }

    private String described() {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM -> " length=" + lengthBytes();
            case SEND_WITH_INV ->
                String.format(Locale.ROOT, " length=%d invalidates=0x%08x", lengthBytes(), invalidateKey());
            case LOCAL_INV -> String.format(Locale.ROOT, " invalidates=0x%08x", invalidateKey());
            case BIND_MW ->
                String.format(
                        Locale.ROOT,
                        " window=%d rkey=0x%08x %s",
                        window == null ? 0 : window.handle(),
                        boundKey(),
                        bindInfo);
            case FLUSH ->
                String.format(Locale.ROOT, " remote=0x%x rkey=0x%08x %s", remoteAddress, remoteKey, flushTarget);
            case RDMA_WRITE,
                    RDMA_WRITE_WITH_IMM,
                    RDMA_READ,
                    ATOMIC_CMP_AND_SWP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    TSO,
                    DRIVER1 ->
                String.format(
                        Locale.ROOT, " length=%d remote=0x%x rkey=0x%08x", lengthBytes(), remoteAddress, remoteKey);
        };
    }

    /**
     * A request of any opcode that can be refilled for each post, for programs that must not allocate. It may be refilled as soon as
     * the post returns (WR-12). Call {@link #fill} first, which sets every other field to 0, then what the opcode needs.
     */
    public static final class Refillable extends SendWorkRequest {

        /** Datagrams that are kept for requests to the same destination; a power of two. */
        private static final int KEPT_DATAGRAMS = 16;

        private final ElementRoom elements;
        private @Nullable Datagram @Nullable [] datagrams;
        private @Nullable FlushTarget lastTarget;
        private @Nullable BindInfo lastBind;

        /** Creates a request with room for a number of elements; it grows if there are more. */
        public Refillable(int elements) {
            this(new ElementRoom(elements));
        }

        private Refillable(ElementRoom elements) {
            super(0, WrOpcode.SEND, 0, NO_ELEMENTS, elements, 0, 0, 0, 0, 0, null, null, null, 0, null);
            this.elements = elements;
        }

        /** Sets all fields and removes all elements. */
        public Refillable fill(long id, WrOpcode opcode, int flags, long remoteAddress, int remoteKey) {
            SendWorkRequest self = this;
            self.id = id;
            self.opcode = opcode;
            self.flags = flags;
            self.remoteAddress = remoteAddress;
            self.remoteKey = remoteKey;
            self.compareOrAdd = 0;
            self.swap = 0;
            self.immediate = 0;
            self.window = null;
            self.bindInfo = null;
            self.datagram = null;
            self.remoteSrq = 0;
            self.flushTarget = null;
            elements.clear();
            return this;
        }

        /** Sets all fields and elements to those of another request. */
        public Refillable copy(Refillable other) {
            fill(other.id(), other.opcode(), other.flags(), other.remoteAddress(), other.remoteKey());
            SendWorkRequest self = this;
            SendWorkRequest theirs = other;
            self.compareOrAdd = theirs.compareOrAdd;
            self.swap = theirs.swap;
            self.immediate = theirs.immediate;
            self.window = theirs.window;
            self.bindInfo = theirs.bindInfo;
            self.datagram = theirs.datagram;
            self.remoteSrq = theirs.remoteSrq;
            self.flushTarget = theirs.flushTarget;
            elements.copyFrom(other.elements);
            return this;
        }

        /**
         * Appends an element.
         *
         * @throws VerbsException EINVAL if it is null
         */
        public Refillable add(Sge element) {
            VerbsException.requireNonNull(element, "element");
            return add(element.address(), element.lengthBytes(), element.lkey());
        }

        /** Appends an element, without an object for it. */
        public Refillable add(long address, int lengthBytes, int lkey) {
            elements.add(address, lengthBytes, lkey);
            return this;
        }

        /** Sets the {@link SendFlags} anew. */
        public Refillable flags(int sendFlags) {
            SendWorkRequest self = this;
            self.flags = sendFlags;
            return this;
        }

        /** Sets immediate data, four raw bytes, or the key that LOCAL_INV or SEND_WITH_INV invalidates. */
        public Refillable immediate(int immediateOrKey) {
            SendWorkRequest self = this;
            self.immediate = immediateOrKey;
            return this;
        }

        /** Sets what an atomic compares or adds, and what it swaps in. */
        public Refillable atomic(long compareOrAdd, long swap) {
            SendWorkRequest self = this;
            self.compareOrAdd = compareOrAdd;
            self.swap = swap;
            return this;
        }

        /** Sets the destination, for UD. It makes an object unless it was among the last destinations. */
        public Refillable datagram(AddressHandle addressHandle, int remoteQp, int remoteQueueKey) {
            VerbsException.requireNonNull(addressHandle, "addressHandle");
            @Nullable Datagram[] kept = datagrams;
            if (kept == null) {
                kept = new Datagram[KEPT_DATAGRAMS];
                datagrams = kept;
            }
            int slot = remoteQp ^ remoteQp >>> 4 ^ System.identityHashCode(addressHandle);
            Datagram known = kept[slot & KEPT_DATAGRAMS - 1];
            if (known == null
                    || !known.addressHandle().equals(addressHandle)
                    || known.remoteQp() != remoteQp
                    || known.remoteQueueKey() != remoteQueueKey) {
                known = new Datagram(addressHandle, remoteQp, remoteQueueKey);
                kept[slot & KEPT_DATAGRAMS - 1] = known;
            }
            SendWorkRequest self = this;
            self.datagram = known;
            return this;
        }

        /** Sets the number of the destination's shared receive queue, for XRC. */
        public Refillable remoteSrq(int number) {
            SendWorkRequest self = this;
            self.remoteSrq = number;
            return this;
        }

        /** Sets what a BIND_MW binds a window of type 2 to; see {@link SendWorkRequest#bindWindow}. It makes an object unless it is the same as the last. */
        public Refillable bind(
                MemoryWindow window,
                int rkey,
                @Nullable MemoryRegion region,
                long address,
                long lengthBytes,
                int access) {
            VerbsException.requireNonNull(window, "window");
            BindInfo known = lastBind;
            if (known == null
                    || !Objects.equals(known.region(), region)
                    || known.address() != address
                    || known.lengthBytes() != lengthBytes
                    || known.access() != access) {
                known = new BindInfo(region, address, lengthBytes, access);
                lastBind = known;
            }
            SendWorkRequest self = this;
            self.window = window;
            self.bindInfo = known;
            self.remoteKey = Rkey.withVariant(window.rkey(), rkey);
            return this;
        }

        /** Sets the target of a FLUSH, see {@link FlushTarget}. It makes an object unless it is the same as the last. */
        public Refillable flush(int type, int level, int lengthBytes) {
            FlushTarget known = lastTarget;
            if (known == null || known.type() != type || known.level() != level || known.lengthBytes() != lengthBytes) {
                known = new FlushTarget(type, level, lengthBytes);
                lastTarget = known;
            }
            SendWorkRequest self = this;
            self.flushTarget = known;
            return this;
        }

        @Override
        public SendWorkRequest frozen() {
            return withFlags(flags());
        }
    }
}
