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
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Memory windows in the words of NetworkDirect: what Microsoft's tests try (5.1), and what nobody ships (5.4, MW-1 to MW-15). */
@OnOneFabric
class NdWindowContractTest extends NdWindowFixture {

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
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withKeyWrap(false))) {
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
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withStrictBindAtPost(true))) {
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
}
