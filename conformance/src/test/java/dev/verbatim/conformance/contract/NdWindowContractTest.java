// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows in the words of NetworkDirect: what Microsoft's tests try (5.1), and what nobody ships (5.4, MW-1 to MW-15). */
@ParameterizedClass
@EnumSource(FabricKind.class)
@Timeout(60)
class NdWindowContractTest {

    private static final int WINDOW_BYTES = 4096;
    private static final int AT = 8192;

    /** A receive of this many bytes brings a token and an address. */
    private static final int INVITATION_BYTES = Integer.BYTES + Long.BYTES;

    @Parameter
    FabricKind fabric;

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

    /** The request fails at the peer, the owner's queue pair dies, and no byte has changed on either side. */
    private static void assertRefused(NdPair pair, int token, long address, int lengthBytes, boolean reads) {
        pair.setTripwire();
        byte[] owners = pair.ownersBytes(0, NdSide.BYTES);
        byte[] peers = pair.peersBytes(0, NdSide.BYTES);
        NdResult result = reads ? pair.read(token, address, lengthBytes) : pair.write(token, address, lengthBytes);
        assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(result.vendorStatus()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        pair.tripwireGoes();
        assertThat(pair.ownersBytes(0, NdSide.BYTES)).isEqualTo(owners);
        assertThat(pair.peersBytes(0, NdSide.BYTES)).isEqualTo(peers);
        assertThat(pair.peer.qp.send("late", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        pair.peer.expect(NdStatus.CANCELED, NdRequestType.SEND, "late");
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

    @Test
    void mw1_tokenIsUsableFromASendQueuedRightBehindASilentBind() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(window.getRemoteToken()).isZero();
            assertThat(pair.peer.qp.receive("invitation", pair.peer.sge(1024, INVITATION_BYTES)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.bind(
                            "silent",
                            pair.owner.mr,
                            window,
                            pair.owner.address(AT),
                            WINDOW_BYTES,
                            NdPair.WRITE | NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            invite(pair, window.getRemoteToken(), pair.owner.address(AT));
            acceptInvitation(pair);
            pair.owner.succeeds(NdRequestType.SEND, "invitation");
        }
    }

    @Test
    void mw2_invalidateBindAndSendArePipelinedWithoutPolling() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int first = pair.bind(window, 0, WINDOW_BYTES, NdPair.READ);
            assertThat(pair.peer.qp.receive("invitation", pair.peer.sge(1024, INVITATION_BYTES)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.bind(
                            "bind", pair.owner.mr, window, pair.owner.address(AT), WINDOW_BYTES, NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(window.getRemoteToken()).isNotEqualTo(first);
            invite(pair, window.getRemoteToken(), pair.owner.address(AT));
            acceptInvitation(pair);
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            pair.owner.succeeds(NdRequestType.SEND, "invitation");
            assertRefused(pair, first, pair.owner.address(0), 8, true);
        }
    }

    private static void invite(NdPair pair, int token, long address) {
        pair.owner.bytes().putInt(0, token).putLong(Integer.BYTES, address);
        assertThat(pair.owner.qp.send("invitation", pair.owner.sge(0, INVITATION_BYTES), 0))
                .isEqualTo(NdStatus.SUCCESS);
    }

    private static void acceptInvitation(NdPair pair) {
        NdResult received = pair.peer.succeeds(NdRequestType.RECEIVE, "invitation");
        assertThat(received.bytesTransferred()).isEqualTo(INVITATION_BYTES);
        int token = pair.peer.bytes().getInt(1024);
        long address = pair.peer.bytes().getLong(1024 + Integer.BYTES);
        assertThat(pair.write(token, address, 64).status()).isEqualTo(NdStatus.SUCCESS);
        assertThat(pair.ownersBytes(AT, 64)).isEqualTo(pair.peersBytes(0, 64));
    }

    @Test
    void mw3_overlappingWindowsHaveRightsOfTheirOwnAndOneEndsWithoutTheOthers() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow reading = pair.owner.adapter.createMemoryWindow();
            NdMemoryWindow writing = pair.owner.adapter.createMemoryWindow();
            int read = pair.bind(reading, AT, WINDOW_BYTES, NdPair.READ);
            int write = pair.bind(writing, AT + 1024, WINDOW_BYTES, NdPair.WRITE);
            assertThat(pair.write(write, pair.owner.address(AT + 1024), 64).status())
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.read(read, pair.owner.address(AT + 1024), 64).status())
                    .isEqualTo(NdStatus.SUCCESS);
            pair.invalidate(reading);
            assertThat(pair.write(write, pair.owner.address(AT + 1024), 64).status())
                    .isEqualTo(NdStatus.SUCCESS);
            assertRefused(pair, read, pair.owner.address(AT + 1024), 64, true);
        }
    }

    @Test
    void mw4_tokenOfOneQueuePairFailsOverAnotherWhichAloneDies() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair ownersOther = pair.owner.newQueuePair("other");
            NdQueuePair peersOther = pair.peer.newQueuePair("other");
            NdSide.connect(peersOther, ownersOther, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);

            NdResult strange = pair.write(peersOther, token, pair.owner.address(AT), 8);
            assertThat(strange.status()).isEqualTo(NdStatus.ACCESS_VIOLATION);
            assertThat(strange.queuePairContext()).isEqualTo("other");
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void mw5_windowGoesToAnotherQueuePairAndAnotherRegionAfterInvalidate() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair ownersOther = pair.owner.newQueuePair("other");
            NdQueuePair peersOther = pair.peer.newQueuePair("other");
            NdSide.connect(peersOther, ownersOther, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int first = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            pair.invalidate(window);

            NdMemoryRegion elsewhere = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            assertThat(ownersOther.bind("bind", elsewhere, window, elsewhere.addressOf(0), WINDOW_BYTES, NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            assertThat(pair.write(peersOther, window.getRemoteToken(), elsewhere.addressOf(0), 8)
                            .status())
                    .isEqualTo(NdStatus.SUCCESS);
            assertRefused(pair, first, pair.owner.address(AT), 8, false);
        }
    }

    @Test
    void mw6_keyWrapsAfter256BindsAndSaysSo() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Set<Integer> tokens = new HashSet<>();
            int first = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            tokens.add(first);
            for (int i = 1; i < 256; i++) {
                pair.invalidate(window);
                tokens.add(pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE));
            }
            assertThat(tokens).hasSize(256);
            assertThat(window.isTokenUsedAgain()).isFalse();
            pair.invalidate(window);
            assertThat(pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE)).isEqualTo(first);
            assertThat(window.generation()).isEqualTo(257);
            assertThat(window.isTokenUsedAgain()).isTrue();
            assertThat(pair.write(first, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void mw6_withoutKeyWrapNoTokenComesTwice() {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.keyWrap(false))) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Set<Integer> tokens = new HashSet<>();
            for (int i = 0; i < 300; i++) {
                tokens.add(pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE));
                assertThat(window.isTokenUsedAgain()).isFalse();
                if (i < 299) {
                    pair.invalidate(window);
                }
            }
            assertThat(tokens).hasSize(300);
            assertThat(pair.write(window.getRemoteToken(), pair.owner.address(AT), 8)
                            .status())
                    .isEqualTo(NdStatus.SUCCESS);
            window.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void mw7_fencedInvalidateWaitsForTheReadBeforeIt() {
        try (NdPair pair = NdPair.open(fabric)) {
            int bytes = NdSide.BYTES / 2;
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            pair.bind(window, 0, bytes, NdPair.READ);
            assertThat(pair.owner.qp.read(
                            "read", pair.owner.sge(0, bytes), pair.peer.address(0), pair.peer.mr.getRemoteToken(), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.invalidate("invalidate", window, NdOpFlags.READ_FENCE))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.READ, "read");
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
            assertThat(pair.ownersBytes(0, bytes)).isEqualTo(pair.peersBytes(0, bytes));
        }
    }

    /** It may take effect before the Read has ended (ORD-18), but it is told of behind it, and the Read is whole when that is told of. */
    @Test
    void mw7_unfencedInvalidateIsToldOfBehindTheReadBeforeIt() {
        try (NdPair pair = NdPair.open(fabric)) {
            int bytes = NdSide.BYTES / 2;
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, 0, bytes, NdPair.READ);
            assertThat(pair.owner.qp.read(
                            "read", pair.owner.sge(0, bytes), pair.peer.address(0), pair.peer.mr.getRemoteToken(), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.READ, "read");
            assertThat(pair.ownersBytes(0, bytes)).isEqualTo(pair.peersBytes(0, bytes));
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
            assertRefused(pair, token, pair.owner.address(0), 64, true);
        }
    }

    @Test
    void mw11_bindTakesObjectsOfItsOwnAdapterInstanceOnly() {
        try (NdPair pair = NdPair.open(fabric)) {
            // Of the same device, and of the other.
            for (NdSide other : new NdSide[] {new NdSide(pair.verbs.right.device), pair.peer}) {
                NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
                NdMemoryWindow foreign = other.adapter.createMemoryWindow();
                assertThat(pair.owner.qp.bind("b", other.mr, window, other.address(0), 8, NdPair.READ))
                        .isEqualTo(NdStatus.INVALID_PARAMETER_2);
                assertThat(pair.owner.qp.bind("b", pair.owner.mr, foreign, pair.owner.address(0), 8, NdPair.READ))
                        .isEqualTo(NdStatus.INVALID_PARAMETER_3);
                assertThat(pair.owner.qp.invalidate("i", foreign, 0)).isEqualTo(NdStatus.INVALID_PARAMETER_2);
            }
            assertThat(pair.owner.poll()).isNull();
        }
    }

    @Test
    void mw14_bindThatFailsAtOnceLeavesTheOldTokenAndItsRights() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(pair.owner.qp.bind(
                            "bad", pair.owner.mr, window, pair.owner.address(0), NdSide.BYTES + 1L, NdPair.READ))
                    .isEqualTo(NdStatus.INVALID_PARAMETER);
            assertThat(window.getRemoteToken()).isEqualTo(token);
            assertThat(window.generation()).isOne();
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.poll()).isNull();
        }
    }

    /** However far the Write has come: what was written is a beginning of it, and nothing comes after the Invalidate has completed. */
    @Test
    void mw8_invalidateCutsAWriteThatIsUnderWay() {
        int cut = 0;
        for (int reached : new int[] {0, 10_000, 30_000, NdSide.BYTES - 1}) {
            try (NdPair pair = NdPair.open(fabric)) {
                NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
                int token = pair.bind(window, 0, NdSide.BYTES, NdPair.WRITE);
                byte[] before = pair.ownersBytes(0, NdSide.BYTES);
                assertThat(pair.peer.qp.write("write", pair.peer.sge(0, NdSide.BYTES), pair.owner.address(0), token, 0))
                        .isEqualTo(NdStatus.SUCCESS);
                while (pair.owner.bytes().get(reached) == before[reached]) {
                    assertThat(pair.peer.cq.getResults(new NdResult[0])).isZero();
                    Thread.onSpinWait();
                }
                assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
                pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
                byte[] after = pair.ownersBytes(0, NdSide.BYTES);
                NdResult result = pair.peer.result();
                assertThat(result.status()).isIn(NdStatus.SUCCESS, NdStatus.ACCESS_VIOLATION);
                assertThat(pair.ownersBytes(0, NdSide.BYTES)).isEqualTo(after);
                int written = commonPrefix(after, pair.peersBytes(0, NdSide.BYTES));
                assertThat(Arrays.copyOfRange(after, written, NdSide.BYTES))
                        .isEqualTo(Arrays.copyOfRange(before, written, NdSide.BYTES));
                assertThat(result.status().isSuccess()).isEqualTo(written == NdSide.BYTES);
                cut += written > 0 && written < NdSide.BYTES ? 1 : 0;
            }
        }
        if (fabric == FabricKind.LOSSY) {
            assertThat(cut).isPositive();
        }
    }

    private static int commonPrefix(byte[] one, byte[] other) {
        int length = Arrays.mismatch(one, other);
        return length < 0 ? one.length : length;
    }

    @Test
    void mw9_secondInvalidateIsAnErrorOfItsQueuePair() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            pair.invalidate(window);
            assertThat(pair.owner.qp.invalidate("again", window, NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            NdResult again = pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.INVALIDATE, "again");
            assertThat(again.explanation()).contains("MW-82");
            assertThat(pair.owner.qp.invalidate("more", window, 0)).isEqualTo(NdStatus.CONNECTION_INVALID);
        }
    }

    @Test
    void windowThatWasNeverBoundCannotBeInvalidated() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.invalidate("never", window, 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.INVALIDATE, "never");
        }
    }

    @Test
    void windowOfAnotherQueuePairCannotBeInvalidated() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair ownersOther = pair.owner.newQueuePair("other");
            NdQueuePair peersOther = pair.peer.newQueuePair("other");
            NdSide.connect(peersOther, ownersOther, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(ownersOther.invalidate("strange", window, 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.INVALIDATE, "strange");
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void boundWindowCannotBeBoundAgainAndTheQueuePairDies() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            pair.setTripwire();
            assertThat(pair.owner.qp.bind("again", pair.owner.mr, window, pair.owner.address(0), 64, NdPair.READ))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, "again");
            pair.tripwireGoes();
        }
    }

    @Test
    void twoBindsOfOneWindowOverTwoQueuePairs_theSecondFails() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair ownersOther = pair.owner.newQueuePair("other");
            NdQueuePair peersOther = pair.peer.newQueuePair("other");
            NdSide.connect(peersOther, ownersOther, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(ownersOther.bind("second", pair.owner.mr, window, pair.owner.address(0), 64, NdPair.READ))
                    .isEqualTo(NdStatus.SUCCESS);
            NdResult second = pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, "second");
            assertThat(second.queuePairContext()).isEqualTo("other");
        }
    }

    @Test
    void strictBindAtPostKnowsWhatWasPostedBefore() {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.strictBindAtPost(true))) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int first = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(pair.owner.qp.bind("again", pair.owner.mr, window, pair.owner.address(0), 64, NdPair.READ))
                    .isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            assertThat(window.getRemoteToken()).isEqualTo(first);
            assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.bind("bind", pair.owner.mr, window, pair.owner.address(0), 64, NdPair.READ))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
            pair.owner.succeeds(NdRequestType.BIND, "bind");
        }
    }

    @Test
    void mw10_ndMrDeregister_regionIsBusyUntilTheLastWindowHasGone() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow first = pair.owner.adapter.createMemoryWindow();
            NdMemoryWindow second = pair.owner.adapter.createMemoryWindow();
            NdMemoryWindow third = pair.owner.adapter.createMemoryWindow();
            NdQueuePair other = pair.owner.newQueuePair("other");
            NdSide.connect(pair.peer.newQueuePair("other"), other, 16, 16);
            pair.bind(first, AT, WINDOW_BYTES, 0);
            pair.bind(second, AT, WINDOW_BYTES, NdPair.READ);
            pair.bind(other, third, AT, WINDOW_BYTES, NdPair.READ);
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.invalidate(first);
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            second.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            other.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void ndMrDeregister_twoWindowsNeedTwoInvalidates() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow[] windows = {pair.owner.adapter.createMemoryWindow(), pair.owner.adapter.createMemoryWindow()
            };
            for (NdMemoryWindow window : windows) {
                pair.bind(window, AT, WINDOW_BYTES, 0);
            }
            for (NdMemoryWindow window : windows) {
                assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
                pair.invalidate(window);
            }
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** The Bind waits for the Read before it, so it has been posted and not executed where time has to pass for that. */
    @Test
    void bindThatWasPostedHoldsItsRegionBeforeItIsExecuted() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.read(
                            "read",
                            pair.owner.sge(0, WINDOW_BYTES),
                            pair.peer.address(0),
                            pair.peer.mr.getRemoteToken(),
                            NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.bind(
                            "bind", region, window, region.addressOf(0), 64, NdPair.READ | NdOpFlags.READ_FENCE))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.invalidate(window);
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void windowIsUnboundAndUsableAgainWhenItsQueuePairWasReleased() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair other = pair.owner.newQueuePair("other");
            NdSide.connect(pair.peer.newQueuePair("other"), other, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int old = pair.bind(other, window, AT, WINDOW_BYTES, NdPair.WRITE);
            other.release();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(token).isNotEqualTo(old);
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void mw13_regionWithLocalWriteOnlyGrantsPeersNothingButItsWindowMay() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("bind", region, window, region.addressOf(AT), 64, NdPair.READ | NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            assertThat(pair.write(window.getRemoteToken(), region.addressOf(AT), 8)
                            .status())
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(region.getRemoteToken()).isZero();
            assertRefused(pair, Integer.reverseBytes(region.getLocalToken()), region.addressOf(AT), 8, false);
        }
    }

    @Test
    void mw12_tokensAreBigEndianKeys() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ);
            int key = window.life().get(window.life().size() - 1).rkey();
            ByteBuffer stored = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            stored.putInt(0, token);
            assertThat(stored.order(ByteOrder.BIG_ENDIAN).getInt(0)).isEqualTo(key);
        }
    }

    @Test
    void mw15_silentRequestsHoldTheirPlacesUntilALaterResultIsTaken() {
        NdSide.Sizes four = NdSide.Sizes.USUAL.initiatorDepth(4);
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE, four)) {
            int token = pair.owner.mr.getRemoteToken();
            for (int i = 0; i < 3; i++) {
                assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(pair.peer.qp.write("loud", pair.peer.sge(0, 8), pair.owner.address(0), token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
            pair.peer.succeeds(NdRequestType.WRITE, "loud");
            for (int i = 0; i < 4; i++) {
                assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.SUCCESS);
            }
            // Nobody will ever take a result behind these four.
            assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        }
    }

    @Test
    void mw15_silentRequestsFreeTheirPlacesWhenExecutedIfTheProfileSaysSo() {
        NdSide.Sizes four = NdSide.Sizes.USUAL.initiatorDepth(4).cqDepth(2);
        NdProfile profile = NdProfile.REFERENCE.silentSlotReclaim(NdProfile.SilentSlotReclaim.ON_EXECUTION);
        try (NdPair pair = NdPair.open(fabric, profile, four)) {
            int token = pair.owner.mr.getRemoteToken();
            for (int i = 0; i < 50; i++) {
                while (silentWrite(pair, token).equals(NdStatus.NO_MORE_ENTRIES)) {
                    assertThat(pair.peer.poll()).isNull();
                }
            }
            while (!pair.peer
                    .qp
                    .write("loud", pair.peer.sge(0, 8), pair.owner.address(0), token, 0)
                    .isSuccess()) {
                assertThat(pair.peer.poll()).isNull();
            }
            pair.peer.succeeds(NdRequestType.WRITE, "loud");
            assertThat(pair.peer.poll()).isNull();
        }
    }

    private static NdStatus silentWrite(NdPair pair, int token) {
        return pair.peer.qp.write(
                "silent", pair.peer.sge(0, 8), pair.owner.address(0), token, NdOpFlags.SILENT_SUCCESS);
    }
}
