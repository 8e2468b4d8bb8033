// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the packets of a pcapng file, of all forms of blocks, and skips blocks and options of other kinds. */
final class PcapngFrames implements FrameSource {

    private static final int SECTION_BODY_BYTES = 16;

    private static final int INTERFACE_NUMBER = 0;
    private static final int TIME_HIGH = 4;
    private static final int TIME_LOW = 8;
    private static final int KEPT_LENGTH = 12;
    private static final int FULL_LENGTH = 16;
    private static final int PACKET_BODY_BYTES = 20;
    private static final int SIMPLE_BODY_BYTES = 4;

    private final PcapngInput blocks;
    private final List<PcapngInterface> interfaces = new ArrayList<>();

    PcapngFrames(InputStream stream) {
        this.blocks = new PcapngInput(stream);
    }

    @Override
    public @Nullable CapturedFrame next() throws IOException {
        for (ByteBuffer body = blocks.next(); body != null; body = blocks.next()) {
            switch (blocks.type()) {
                case PcapngFormat.SECTION_HEADER -> beginSection(body);
                case PcapngFormat.INTERFACE_DESCRIPTION -> {
                    requireBytes(body, PcapngInterface.BODY_BYTES);
                    interfaces.add(PcapngInterface.read(blocks, body, interfaces.size()));
                }
                case PcapngFormat.ENHANCED_PACKET -> {
                    requireBytes(body, PACKET_BODY_BYTES);
                    return frame(body, body.getInt(INTERFACE_NUMBER));
                }
                case PcapngFormat.OBSOLETE_PACKET -> {
                    requireBytes(body, PACKET_BODY_BYTES);
                    return frame(body, body.getShort(INTERFACE_NUMBER) & 0xffff);
                }
                case PcapngFormat.SIMPLE_PACKET -> {
                    requireBytes(body, SIMPLE_BODY_BYTES);
                    return simpleFrame(body);
                }
                default -> {}
            }
        }
        return null;
    }

    private void beginSection(ByteBuffer body) throws CaptureException {
        requireBytes(body, SECTION_BODY_BYTES);
        int version = body.getShort(Integer.BYTES);
        if (version != PcapngFormat.MAJOR_VERSION) {
            throw blocks.refusal(
                    "it is of pcapng version %d != %d; only that one is read", version, PcapngFormat.MAJOR_VERSION);
        }
        interfaces.clear();
    }

    private CapturedFrame frame(ByteBuffer body, int number) throws CaptureException {
        PcapngInterface device = device(number);
        long time = (long) body.getInt(TIME_HIGH) << Integer.SIZE | Integer.toUnsignedLong(body.getInt(TIME_LOW));
        int keptBytes = body.getInt(KEPT_LENGTH);
        int fullBytes = body.getInt(FULL_LENGTH);
        ByteBuffer bytes = kept(body, PACKET_BODY_BYTES, keptBytes, fullBytes);
        int options = PACKET_BODY_BYTES + PcapngFormat.padded(keptBytes);
        return new CapturedFrame(
                blocks.where(),
                device.nanos(time),
                device.name(),
                device.linkType(),
                bytes,
                fullBytes,
                blocks.wordOption(body, options, PcapngFormat.PACKET_FLAGS) & PcapngFormat.DIRECTION_MASK,
                blocks.wordOption(body, options, PcapngFormat.PACKET_QUEUE));
    }

    /** One of the first interface, without a time; its padding tells from it only by what is kept of a frame. */
    private CapturedFrame simpleFrame(ByteBuffer body) throws CaptureException {
        PcapngInterface device = device(0);
        int fullBytes = body.getInt(0);
        int snapBytes = device.snapLengthBytes() > 0 ? device.snapLengthBytes() : Integer.MAX_VALUE;
        ByteBuffer bytes = kept(body, SIMPLE_BODY_BYTES, Math.min(fullBytes, snapBytes), fullBytes);
        return new CapturedFrame(blocks.where(), 0, device.name(), device.linkType(), bytes, fullBytes, 0, 0);
    }

    private PcapngInterface device(int number) throws CaptureException {
        if (number < 0 || number >= interfaces.size()) {
            throw blocks.refusal(
                    "it names interface %d, but there are %d; the file is broken", number, interfaces.size());
        }
        return interfaces.get(number);
    }

    private ByteBuffer kept(ByteBuffer body, int at, int keptBytes, int fullBytes) throws CaptureException {
        if (keptBytes < 0 || keptBytes > body.limit() - at) {
            throw blocks.refusal(
                    "its packet is of lengthBytes=%d, not within the %d that are left; the file is broken",
                    keptBytes, body.limit() - at);
        }
        if (fullBytes < keptBytes) {
            throw blocks.refusal("%d of its %d bytes were kept; the file is broken", keptBytes, fullBytes);
        }
        return body.slice(at, keptBytes);
    }

    private void requireBytes(ByteBuffer body, int neededBytes) throws CaptureException {
        if (body.limit() < neededBytes) {
            throw blocks.refusal("its body is of lengthBytes=%d < %d; the file is broken", body.limit(), neededBytes);
        }
    }
}
