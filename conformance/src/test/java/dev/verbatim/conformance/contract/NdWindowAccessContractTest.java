// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses through a window that is bound, gone, too small or too weak, as Microsoft's tests try them (5.1). */
@OnOneFabric
class NdWindowAccessContractTest extends NdWindowFixture {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ndInvalidReadAndWrite_staleTokenIsRefusedAndTouchesNothing(boolean reads) {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int bound = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ | NdPair.WRITE);
            assertThat(pair.peer.qp.receive("invitation", pair.peer.sge(1024, INVITATION_BYTES)))
                    .isEqualTo(NdStatus.SUCCESS);
            invite(pair, bound, pair.owner.address(AT));
            assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.SEND, "invitation");
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
            pair.peer.succeeds(NdRequestType.RECEIVE, "invitation");
            int token = pair.peer.bytes().getInt(1024);
            long address = pair.peer.bytes().getLong(1024 + Integer.BYTES);
            assertRefused(pair, token, address, 64, reads);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong key byte", "never bound", "after rebind"})
    void tokenThatIsNotTheWindowsIsRefused(String which) {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int first = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ | NdPair.WRITE);
            int token = switch (which) {
                // The lowest byte of the key is the highest of a token in network byte order here.
                case "wrong key byte" -> first ^ 0x05000000;
                case "never bound" -> pair.owner.adapter.createMemoryWindow().getRemoteToken();
                default -> {
                    pair.invalidate(window);
                    int second = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ | NdPair.WRITE);
                    assertThat(pair.write(second, pair.owner.address(AT), 8).status())
                            .isEqualTo(NdStatus.SUCCESS);
                    yield first;
                }
            };
            assertRefused(pair, token, pair.owner.address(AT), 64, false);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4137", "1, 4096", "-1, 8", "4095, 2", "4096, 1",
    })
    void ndOverReadAndWrite_nothingBeyondTheWindowIsReached(int offset, int lengthBytes) {
        for (boolean reads : new boolean[] {true, false}) {
            try (NdPair pair = NdPair.open(fabric)) {
                NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
                int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ | NdPair.WRITE);
                assertThat(pair.write(token, pair.owner.address(AT), WINDOW_BYTES)
                                .status())
                        .as("exact fit")
                        .isEqualTo(NdStatus.SUCCESS);
                assertRefused(pair, token, pair.owner.address(AT + offset), lengthBytes, reads);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ndOverReadAndWrite_lengthThatWrapsTheAddressSpaceIsRefused(boolean reads) {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ | NdPair.WRITE);
            assertRefused(pair, token, -4, 64, reads);
        }
    }

    @ParameterizedTest
    @CsvSource({"8, false", "16, true", "0, true", "0, false"})
    void ndWriteViolation_windowGrantsWhatItsFlagsSayAndNoMore(int rights, boolean reads) {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("bind", region, window, region.addressOf(AT), WINDOW_BYTES, rights))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            int token = window.getRemoteToken();
            if (rights != 0) {
                NdResult permitted = reads
                        ? pair.write(token, pair.owner.address(AT), 64)
                        : pair.read(token, pair.owner.address(AT), 64);
                assertThat(permitted.status()).isEqualTo(NdStatus.SUCCESS);
            }
            assertRefused(pair, token, pair.owner.address(AT), 64, reads);
        }
    }

    /** The same with windows as large as Microsoft's, all of which is read or written, by memory of just that length. */
    @ParameterizedTest
    @CsvSource({
        "stale, true",
        "stale, false",
        "41 bytes more, true",
        "41 bytes more, false",
        "without right, true",
        "without right, false"
    })
    void ndInvalidAndNdOverAndNdWriteViolation_inTheirSizes(String what, boolean reads) {
        int size = NdScale.WINDOW_BYTES;
        int asked = what.equals("41 bytes more") ? size + 41 : size;
        int granted = reads ? NdPair.READ : NdPair.WRITE;
        int rights = what.equals("without right") ? (NdPair.READ | NdPair.WRITE) ^ granted : granted;
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(Memory.allocate(size + 64), NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryRegion local = pair.peer.register(Memory.allocate(asked), NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("bind", region, window, region.addressOf(0), size, rights))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            if (rights == granted) {
                assertThat(reach(pair, window, region, local.sge(0, size), reads)
                                .status())
                        .as("exact fit")
                        .isEqualTo(NdStatus.SUCCESS);
            }
            if (what.equals("stale")) {
                pair.invalidate(window);
            }
            pair.setTripwire();
            assertThat(reach(pair, window, region, local.sge(0, asked), reads).status())
                    .isEqualTo(NdStatus.ACCESS_VIOLATION);
            pair.tripwireGoes();
        }
    }

    private static NdResult reach(
            NdPair pair, NdMemoryWindow window, NdMemoryRegion region, NdSge local, boolean reads) {
        NdSge[] sge = {local};
        int token = window.getRemoteToken();
        assertThat(
                        reads
                                ? pair.peer.qp.read("all", sge, region.addressOf(0), token, 0)
                                : pair.peer.qp.write("all", sge, region.addressOf(0), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        return pair.peer.result();
    }

    @Test
    void readOrWriteOfNothingIsALivenessProbeThatNoTokenIsNeededFor() {
        try (NdPair pair = NdPair.open(fabric)) {
            for (int token : new int[] {0, 0x12345678}) {
                assertThat(pair.peer.qp.read("probe", NdSge.NONE, 4711, token, 0))
                        .isEqualTo(NdStatus.SUCCESS);
                pair.peer.succeeds(NdRequestType.READ, "probe");
                assertThat(pair.peer.qp.write("probe", NdSge.NONE, 4711, token, 0))
                        .isEqualTo(NdStatus.SUCCESS);
                pair.peer.succeeds(NdRequestType.WRITE, "probe");
            }
        }
    }
}
