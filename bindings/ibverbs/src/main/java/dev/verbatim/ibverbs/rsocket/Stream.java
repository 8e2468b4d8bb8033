// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.cm.CmId;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.rsocket.ConnectionData.Place;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The data of one connection. Messages are WRITEs with an immediate: its upper three bits say what it is, the rest how much. The
 * receiver consumes a message only when the program has read it, and grants further messages and the next half of its buffer by
 * writing an entry into the sender's list. Called by one thread at a time.
 */
final class Stream {

    /** Sizes that a socket's options change before it is connected. */
    record Sizes(int sendBytes, int receiveBytes, int sends, int receives, int inlineBytes, int iomaps) {

        static final Sizes USUAL = new Sizes(1 << 17, 1 << 17, 384, 384, 64, 0);
    }

    private static final int DATA = 0, WRITE = 2, GRANT = 4, MAPPING = 6, CONTROL = 7;
    private static final int KIND_SHIFT = 29, VALUE = (1 << KIND_SHIFT) - 1;
    private static final int DISCONNECT = 0, SHUTDOWN = 2;
    private static final long RECEIVE = 1L << 63;

    /** Of a list of buffers, and of a mapping: its offset, then the place. */
    private static final int ENTRY_BYTES = 16, MAPPING_BYTES = 24, ENTRIES = 2;

    private static final int CONTROLS = 4;
    private static final int LEAST_SEND_ROOM = 2048;
    private static final int FIRST_TRANSFER = 2048, MOST_TRANSFER = 65536;
    private static final int POLLED_AT_ONCE = 16;
    private static final int SEQUENCE = 0xffff;

    private final Sizes sizes;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final CmId id;
    private final RegisteredBuffer send;
    private final RegisteredBuffer receive;

    /** The peer writes here which of its buffers may be used, and its mappings. */
    private final RegisteredBuffer lists;

    private final WorkCompletion[] completions = new WorkCompletion[POLLED_AT_ONCE];

    /** Lengths of messages that came and were not read to their ends. */
    private final ArrayDeque<Integer> messages = new ArrayDeque<>();

    /** Mappings of this end: all of them, and those that the peer was not told of yet. */
    private final List<Mapping> mappings = new ArrayList<>();

    private final ArrayDeque<Mapping> untold = new ArrayDeque<>();

    private ConnectionData peer = new ConnectionData(false, 0, 0, new Place(0, 0, 1), new Place(0, 0, 0));
    private boolean readable = true, writable = true, disconnected, failed;
    private int sendAt, sendRoom;
    private int sendsLeft;
    private int target, grantTo = 1;
    private int sent, maySend;
    private int controlsSent, controlsDone;
    private int readAt, grantAt, freed, read, grantedUpTo;

    private record Mapping(long address, long lengthBytes, long offset, int index, MemoryRegion region) {}

    /** Makes the queue pair of an identifier, with its receives. */
    Stream(Device device, ProtectionDomain pd, CmId id, Sizes sizes) {
        this.pd = pd;
        this.id = id;
        this.sizes = sizes;
        Arrays.setAll(completions, i -> new WorkCompletion());
        channel = device.createCompletionChannel();
        cq = device.createCq(sizes.sends() + sizes.receives(), null, channel, 0);
        qp = id.createQp(
                pd,
                QpInitAttributes.rc(
                                cq, cq, new QpCapabilities(sizes.sends(), sizes.receives(), 2, 1, sizes.inlineBytes()))
                        .signalingAll());
        int remote = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        send = new RegisteredBuffer(pd, sizes.sendBytes() + CONTROLS * ENTRY_BYTES, AccessFlags.LOCAL_WRITE);
        receive = new RegisteredBuffer(pd, sizes.receiveBytes(), remote);
        lists = new RegisteredBuffer(pd, ENTRIES * ENTRY_BYTES + sizes.iomaps() * MAPPING_BYTES, remote);
        for (int i = 0; i < sizes.receives(); i++) {
            postReceive();
        }
        sendRoom = sizes.sendBytes();
        sendsLeft = sizes.sends() - CONTROLS;
        grantAt = half();
        freed = half();
        grantedUpTo = sizes.receives() / 2;
        controlsDone = CONTROLS;
    }

    private int half() {
        return sizes.receiveBytes() / 2;
    }

    /** What the peer is to know. */
    ConnectionData data() {
        return new ConnectionData(
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN,
                sizes.receives(),
                sizes.iomaps(),
                lists.place(0, ENTRIES),
                receive.place(0, half()));
    }

    /** What the peer has said. */
    void connected(ConnectionData said) {
        peer = said;
        Place first = said.buffer();
        lists.bytes().putLong(0, first.address()).putInt(8, first.key()).putInt(12, first.length());
        maySend = said.credits();
    }

    /** Takes notice of events that come from now on. */
    void onReady(Runnable callback) {
        channel.onReady(callback);
    }

    /** Has the next completion raise an event. */
    void arm() {
        cq.requestNotify(false);
    }

    boolean hasData() {
        return !messages.isEmpty();
    }

    boolean isReadable() {
        return readable && !disconnected && !failed;
    }

    boolean isWritable() {
        return writable && !disconnected && !failed;
    }

    boolean isOver() {
        return disconnected;
    }

    boolean hasFailed() {
        return failed;
    }

    /** The connection is over: what has come can still be read. */
    void end() {
        poll();
        disconnected = true;
    }

    boolean canSend() {
        return isWritable() && hasSendRoom() && sent != maySend && entryLength(target) != 0;
    }

    private boolean hasSendRoom() {
        return sendsLeft > 0 && sendRoom >= Math.min(LEAST_SEND_ROOM, sizes.sendBytes());
    }

    boolean allSent() {
        return disconnected
                || failed
                || (sendsLeft == sizes.sends() - CONTROLS && controlsDone - controlsSent == CONTROLS);
    }

    boolean canSendControl() {
        return controlsSent != controlsDone || disconnected || failed;
    }

    private int entryLength(int entry) {
        return lists.bytes().getInt(entry * ENTRY_BYTES + 12);
    }

    // ---- what has come

    /** Looks at what has completed. */
    void poll() {
        for (CompletionEvent event = channel.pollEvent(); event != null; event = channel.pollEvent()) {
            event.acknowledge();
        }
        int count = cq.poll(completions);
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                completed(completions[i]);
            }
            count = cq.poll(completions);
        }
        grantIfDue();
    }

    private void completed(WorkCompletion completion) {
        if ((completion.id() & RECEIVE) != 0) {
            if (completion.isSuccess() && completion.has(WcFlags.WITH_IMM)) {
                received(completion.immediate());
                postReceive();
            }
            return;
        }
        int message = (int) completion.id();
        int kind = message >>> KIND_SHIFT;
        if (kind == GRANT || kind == CONTROL) {
            controlsDone++;
            disconnected |= kind == CONTROL && (message & VALUE) == DISCONNECT;
        } else {
            sendsLeft++;
            sendRoom += kind == MAPPING ? MAPPING_BYTES : message & VALUE;
        }
        failed |= !completion.isSuccess() && !disconnected;
    }

    private void received(int message) {
        int kind = message >>> KIND_SHIFT;
        int value = message & VALUE;
        switch (kind) {
            case GRANT -> maySend = value & SEQUENCE;
            case MAPPING -> {}
            case CONTROL -> {
                disconnected |= value == DISCONNECT || (value == SHUTDOWN && !writable);
                readable &= value != SHUTDOWN;
            }
            default -> messages.addLast(value);
        }
    }

    private void postReceive() {
        if (!disconnected && !failed) {
            qp.postRecv(ReceiveWorkRequest.of(RECEIVE));
        }
    }

    private void grantIfDue() {
        boolean bufferFree = freed >= half();
        if ((bufferFree || (short) (read - grantedUpTo) >= 0)
                && controlsSent != controlsDone
                && !disconnected
                && !failed
                && peer.list().address() != 0) {
            grant(bufferFree);
        }
    }

    private void grant(boolean withBuffer) {
        grantedUpTo = (read + sizes.receives() / 2) & SEQUENCE;
        int message = message(GRANT, (read + sizes.receives()) & SEQUENCE);
        if (!withBuffer) {
            post(SendWorkRequest.writeWithImmediate(message & 0xffff_ffffL, 0, 0, message));
        } else {
            int at = sizes.sendBytes() + (controlsSent & (CONTROLS - 1)) * ENTRY_BYTES;
            Place place = receive.place(grantAt, half());
            inPeersOrder(send)
                    .putLong(at, place.address())
                    .putInt(at + 8, place.key())
                    .putInt(at + 12, half());
            post(SendWorkRequest.writeWithImmediate(
                    message & 0xffff_ffffL,
                    peer.list().address() + (long) grantTo * ENTRY_BYTES,
                    peer.list().key(),
                    message,
                    send.sge(at, ENTRY_BYTES)));
            freed -= half();
            grantAt = (grantAt + half()) % (2 * half());
            grantTo = (grantTo + 1) % peer.list().length();
        }
        controlsSent++;
    }

    private ByteBuffer inPeersOrder(RegisteredBuffer buffer) {
        return buffer.bytes().duplicate().order(peer.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads what has come into memory of the program.
     *
     * @param peeks whether it stays, to be read again
     * @return number of bytes, 0 if none has come
     */
    int read(long to, long lengthBytes, boolean peeks) {
        long left = lengthBytes;
        int at = readAt;
        for (int length : messages.toArray(new Integer[0])) {
            int count = (int) Math.min(left, length);
            copyOut(to + lengthBytes - left, at, count);
            at = (at + count) % sizes.receiveBytes();
            left -= count;
            if (!peeks) {
                consumed(count, length);
            }
            if (left == 0) {
                break;
            }
        }
        if (!peeks) {
            readAt = at;
            grantIfDue();
        }
        return (int) (lengthBytes - left);
    }

    private void consumed(int count, int length) {
        messages.removeFirst();
        freed += count;
        if (count < length) {
            messages.addFirst(length - count);
        } else {
            read = (read + 1) & SEQUENCE;
        }
    }

    private void copyOut(long to, int at, int count) {
        int first = Math.min(count, sizes.receiveBytes() - at);
        receive.copyTo(to, at, first);
        receive.copyTo(to + first, 0, count - first);
    }

    // ---- what goes out

    private static int message(int kind, int value) {
        return kind << KIND_SHIFT | value;
    }

    private void post(SendWorkRequest request) {
        qp.postSend(request);
    }

    /** Sends as much as there is room for; the number of bytes. */
    long write(long from, long lengthBytes) {
        tellMappings();
        long done = 0;
        int most = FIRST_TRANSFER;
        while (done < lengthBytes && canSend()) {
            int length = (int) Math.min(Math.min(lengthBytes - done, most), Math.min(sendRoom, entryLength(target)));
            most = Math.min(MOST_TRANSFER, 2 * most);
            int message = message(DATA, length);
            int entry = target * ENTRY_BYTES;
            ByteBuffer list = lists.bytes();
            long address = list.getLong(entry);
            int key = list.getInt(entry + 8);
            // Before the message goes out: the peer may write the entry anew as soon as it has it.
            list.putLong(entry, address + length).putInt(entry + 12, list.getInt(entry + 12) - length);
            if (list.getInt(entry + 12) == 0) {
                target = (target + 1) % ENTRIES;
            }
            sent = (sent + 1) & SEQUENCE;
            Sge[] elements = copyIn(from + done, length);
            post(SendWorkRequest.writeWithImmediate(message & 0xffff_ffffL, address, key, message, elements));
            done += length;
        }
        return done;
    }

    /** Copies bytes of the program to where the next go out from. */
    private Sge[] copyIn(long from, int length) {
        int first = Math.min(length, sizes.sendBytes() - sendAt);
        send.copyFrom(from, sendAt, first);
        Sge[] elements = {send.sge(sendAt, first)};
        if (first < length) {
            send.copyFrom(from + first, 0, length - first);
            elements = new Sge[] {elements[0], send.sge(0, length - first)};
        }
        sendAt = (sendAt + length) % sizes.sendBytes();
        sendsLeft--;
        sendRoom -= length;
        return elements;
    }

    /**
     * Says that nothing more is written, read, or both.
     *
     * @param reads whether reading ends
     * @param writes whether writing ends
     */
    void shutDown(boolean reads, boolean writes) {
        readable &= !reads;
        writable &= !writes;
        boolean tells = !writable && canSendControl() && !disconnected && !failed;
        if (tells) {
            controlsSent++;
            int message = message(CONTROL, readable ? SHUTDOWN : DISCONNECT);
            post(SendWorkRequest.writeWithImmediate(message & 0xffff_ffffL, 0, 0, message));
        }
    }

    // ---- memory that the peer writes to directly

    /** Maps memory of the program, so that the peer can write to it by offset; false if there is no room for another mapping. */
    boolean map(long address, long lengthBytes, long offset, boolean isWritten) {
        int index = isWritten ? freeMapping() : -1;
        if (isWritten && index < 0) {
            return false;
        }
        int access = AccessFlags.LOCAL_WRITE | (isWritten ? AccessFlags.REMOTE_WRITE : 0);
        Memory memory = Memory.of(Native.buffer(address, Math.toIntExact(lengthBytes)));
        MemoryRegion region = pd.registerIova(memory, 0, lengthBytes, address, access);
        Mapping mapping = new Mapping(address, lengthBytes, offset, index, region);
        mappings.add(mapping);
        if (isWritten) {
            untold.add(mapping);
        }
        return true;
    }

    private int freeMapping() {
        for (int i = 0; i < peer.iomaps(); i++) {
            int index = i;
            if (mappings.stream().noneMatch(mapping -> mapping.index() == index)) {
                return i;
            }
        }
        return -1;
    }

    /** Ends a mapping; false if there is none of that memory. */
    boolean unmap(long address, long lengthBytes) {
        for (Mapping mapping : mappings) {
            if (mapping.address() == address && mapping.lengthBytes() == lengthBytes) {
                mapping.region().close();
                untold.remove(mapping);
                return mappings.remove(mapping);
            }
        }
        return false;
    }

    private void tellMappings() {
        while (!untold.isEmpty() && canSend()) {
            Mapping mapping = untold.removeFirst();
            long entry = Native.allocate(MAPPING_BYTES);
            ByteBuffer bytes = Native.buffer(entry, MAPPING_BYTES)
                    .order(peer.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            bytes.putLong(mapping.offset()).putLong(mapping.region().address());
            bytes.putInt(mapping.region().rkey()).putInt((int) mapping.lengthBytes());
            int message = message(MAPPING, mapping.index());
            sent = (sent + 1) & SEQUENCE;
            long to = peer.list().address()
                    + (long) peer.list().length() * ENTRY_BYTES
                    + (long) mapping.index() * MAPPING_BYTES;
            post(SendWorkRequest.writeWithImmediate(
                    message & 0xffff_ffffL, to, peer.list().key(), message, copyIn(entry, MAPPING_BYTES)));
            Native.free(entry);
        }
    }

    /** Writes to memory that the peer has mapped; the number of bytes, -1 if it has mapped nothing there. */
    long writeMapped(long from, long lengthBytes, long offset) {
        tellMappings();
        long done = 0;
        int most = FIRST_TRANSFER;
        while (done < lengthBytes && canSend()) {
            int mapping = mappingOf(offset + done);
            if (mapping < 0) {
                return done == 0 ? -1 : done;
            }
            ByteBuffer list = lists.bytes();
            long begin = list.getLong(mapping);
            long room = begin + Integer.toUnsignedLong(list.getInt(mapping + 20)) - (offset + done);
            int length = (int) Math.min(Math.min(lengthBytes - done, most), Math.min(sendRoom, room));
            most = Math.min(MOST_TRANSFER, 2 * most);
            long address = list.getLong(mapping + 8) + offset + done - begin;
            post(SendWorkRequest.write(
                    message(WRITE, length) & 0xffff_ffffL,
                    address,
                    list.getInt(mapping + 16),
                    copyIn(from + done, length)));
            done += length;
        }
        return done;
    }

    /** Where in the lists the mapping is that holds an offset; -1 if there is none. */
    private int mappingOf(long offset) {
        ByteBuffer list = lists.bytes();
        for (int i = 0; i < sizes.iomaps(); i++) {
            int at = ENTRIES * ENTRY_BYTES + i * MAPPING_BYTES;
            long begin = list.getLong(at);
            if (offset >= begin && offset - begin < Integer.toUnsignedLong(list.getInt(at + 20))) {
                return at;
            }
        }
        return -1;
    }

    void close() {
        channel.onReady(null);
        id.destroyQp();
        mappings.forEach(mapping -> mapping.region().close());
        for (CompletionEvent event = channel.pollEvent(); event != null; event = channel.pollEvent()) {
            event.acknowledge();
        }
        cq.close();
        channel.close();
        send.close();
        receive.close();
        lists.close();
    }
}
