// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.SegmentRun;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/** Carries packets of the peer to the device, and holds that no byte changes by them that should not. */
final class Wire {

    private static final Gid ANOTHER = Gid.ofGuid(0x98);
    private static final int NOBODY = 0x20;
    private static final int[] PSN_ERRORS = {-1, -2, 1, 2, -64, 300, 0x7f_ffff, -0x80_0000, 3, -3, 0x40_0000};
    private static final int[] PAYLOADS = {0, 1, 3, 4, Estate.MTU - 1, Estate.MTU, Estate.MTU + 1, 2 * Estate.MTU, 4096
    };
    private static final byte[] PAYLOAD = payload();

    private static final int LAST_BYTES = Long.BYTES;

    private final Estate estate;
    private final Packet arrived = new Packet();
    private final LandingPlace place = new LandingPlace();

    Wire(Estate estate) {
        this.estate = estate;
    }

    static int psnError(int choice) {
        return PSN_ERRORS[choice % PSN_ERRORS.length];
    }

    static int oddPayload(int choice) {
        return PAYLOADS[choice % PAYLOADS.length];
    }

    /** No byte of it looks like a colour of the ground. */
    private static byte[] payload() {
        byte[] bytes = new byte[1 << 15];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 & 0x3f | 0x40);
        }
        return bytes;
    }

    /** Adds payload, if such packets have any. */
    static void attach(Packet packet, int payloadBytes) {
        if (packet.opcode().carriesPayload()) {
            packet.payload().add(ByteBuffer.wrap(PAYLOAD), packet.psn() & 0x3f, payloadBytes);
        }
    }

    /**
     * Carries a packet, or a run, to the device.
     *
     * @param choice two of its values carry it from a stranger, or to a queue pair that is not there
     */
    void carry(Side side, Packet packet, int choice) {
        boolean stranger = choice == 0xfe;
        boolean astray = choice == 0xff;
        packet.destQp(astray ? NOBODY : side.qp.number());
        if (packet.packets() > 1 && !isRun(packet)) {
            // No carrier would pass it on.
            return;
        }
        IntPredicate permitted = index -> false;
        if (!stranger && !astray) {
            permitted = index -> mayChange(side, packet, index);
        }
        String what = packet.toString();
        if (packet.packets() > 1) {
            estate.runs++;
        }
        if (packet.packets() > 1 && !estate.inParts && !stranger && !astray && landed(packet, what, permitted)) {
            // It is there already, but for its last bytes.
            estate.fabric.deliver(Estate.PEER, arrived);
        } else if (packet.packets() > 1 && estate.inParts) {
            Packet part = new Packet();
            for (int i = 0; i < packet.packets(); i++) {
                SegmentRun.part(packet, i, part);
                estate.fabric.deliver(stranger ? ANOTHER : Estate.PEER, part);
            }
        } else {
            estate.fabric.deliver(stranger ? ANOTHER : Estate.PEER, packet);
        }
        estate.ground.assertOnlyTheseChanged(what, permitted);
    }

    /** Lets the payload of a run land, as a carrier does with long ones, where the device has a place for it. */
    private boolean landed(Packet packet, String what, IntPredicate permitted) {
        int landing = packet.payload().lengthBytes() - LAST_BYTES;
        arrived.begin(packet.opcode()).copyHeadersFrom(packet);
        if (!estate.fabric.land(Estate.PEER, arrived, packet.payload().lengthBytes(), place)) {
            return false;
        }
        for (int index = place.index(); index < place.index() + landing; index++) {
            assertThat(permitted.test(index))
                    .as("%s may land at %d", what, index)
                    .isTrue();
        }
        packet.payload().copyTo(0, place.buffer(), place.index(), landing);
        arrived.payload().add(place.buffer(), place.index(), landing);
        arrived.payload().addRange(packet.payload(), landing, LAST_BYTES);
        estate.answersLanded |= packet.opcode().isResponse();
        return true;
    }

    private static boolean isRun(Packet packet) {
        return SegmentRun.isOne(packet.opcode(), packet.payload().lengthBytes(), packet.packets());
    }

    private boolean mayChange(Side side, Packet packet, int index) {
        return switch (packet.opcode().kind()) {
            case SEND -> estate.awaits(side, true, index);
            case RDMA_WRITE, ATOMIC_WRITE -> opens(side, AccessFlags.REMOTE_WRITE, touchOf(packet), index);
            case ATOMIC -> opens(side, AccessFlags.REMOTE_ATOMIC, new Touch(packet.remoteAddress(), Long.BYTES), index);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> estate.awaits(side, false, index);
            default -> false;
        };
    }

    private static Touch touchOf(Packet write) {
        return write.opcode().startsMessage()
                ? new Touch(write.remoteAddress(), write.payload().lengthBytes())
                : Touch.ANYWHERE;
    }

    private boolean opens(Side side, int right, Touch touch, int index) {
        return (side.access & right) != 0 && estate.opens(side, right, touch, index);
    }
}
