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
import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Bind that fails when it is executed changes nothing of its window: the binding, its token, and the queue pair that it belongs to. */
@OnOneFabric
class NdFailedBindContractTest extends NdWindowFixture {

    /** Why a Bind of a window that is bound elsewhere fails. */
    enum Failure {
        BOUND(NdStatus.INVALID_DEVICE_REQUEST),
        BOUND_AND_SILENT(NdStatus.INVALID_DEVICE_REQUEST),
        OTHER_REGION(NdStatus.INVALID_DEVICE_REQUEST),
        NO_BYTES(NdStatus.INVALID_DEVICE_REQUEST),
        FLUSHED(NdStatus.CANCELED),
        FLUSHED_BEHIND_ANOTHER(NdStatus.CANCELED);

        private final NdStatus status;

        Failure(NdStatus status) {
            this.status = status;
        }
    }

    /** A second connection between the sides. */
    private record Second(NdQueuePair ofOwner, NdQueuePair ofPeer) {

        static Second of(NdPair pair) {
            Second second = new Second(pair.owner.newQueuePair("second"), pair.peer.newQueuePair("second"));
            NdSide.connect(second.ofPeer, second.ofOwner, 16, 16);
            return second;
        }
    }

    private static final NdProfile PROFILE = NdProfile.REFERENCE.withEmptyBindRefusedAtPost(false);

    @ParameterizedTest
    @EnumSource
    @Rule("MW-32")
    void olderBindingKeepsItsTokenAndItsQueuePair(Failure failure) {
        for (boolean isTaken : new boolean[] {true, false}) {
            try (NdPair pair = NdPair.open(fabric, PROFILE)) {
                NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
                Second second = Second.of(pair);
                int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
                fail(pair, second, window, failure);
                assertThat(window.getRemoteToken()).isNotEqualTo(token);
                if (isTaken) {
                    pair.owner.expect(failure.status, NdRequestType.BIND, failure);
                    assertThat(window.getRemoteToken()).isEqualTo(token);
                }
                assertThat(pair.write(token, pair.owner.address(AT), 8).status())
                        .isEqualTo(NdStatus.SUCCESS);
                assertThat(pair.owner.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
                if (!isTaken) {
                    pair.owner.expect(failure.status, NdRequestType.BIND, failure);
                }
                pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
                assertThat(window.getRemoteToken()).isEqualTo(token);
                int next = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
                assertThat(next).isNotEqualTo(token);
                assertThat(pair.write(next, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
                pair.invalidate(window);
                assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
            }
        }
    }

    /** Posts Binds over a queue pair of which the last one, with the failure as context, fails, and waits until it has. */
    private static void fail(NdPair pair, Second second, NdMemoryWindow window, Failure failure) {
        NdMemoryRegion region = failure == Failure.OTHER_REGION
                ? pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE)
                : pair.owner.mr;
        int flags = NdPair.READ | (failure == Failure.BOUND_AND_SILENT ? NdOpFlags.SILENT_SUCCESS : 0);
        long length = failure == Failure.NO_BYTES ? 0 : 64;
        if (failure.status.equals(NdStatus.CANCELED)) {
            readForEver(pair, second);
            flags |= NdOpFlags.READ_FENCE;
        }
        if (failure == Failure.FLUSHED_BEHIND_ANOTHER) {
            assertThat(second.ofOwner.bind("first", region, window, region.addressOf(0), length, flags))
                    .isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(second.ofOwner.bind(failure, region, window, region.addressOf(0), length, flags))
                .isEqualTo(NdStatus.SUCCESS);
        if (failure.status.equals(NdStatus.CANCELED)) {
            assertThat(second.ofOwner.flush()).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.CANCELED, NdRequestType.READ, "read");
            if (failure == Failure.FLUSHED_BEHIND_ANOTHER) {
                pair.owner.expect(NdStatus.CANCELED, NdRequestType.BIND, "first");
            }
        }
    }

    /** A Read that the peer does not answer, so that a Bind with a fence behind it waits. */
    private static void readForEver(NdPair pair, Second second) {
        assertThat(second.ofPeer.flush()).isEqualTo(NdStatus.SUCCESS);
        int token = pair.peer.mr.getRemoteToken();
        assertThat(second.ofOwner.read("read", pair.owner.sge(0, 8), pair.peer.address(0), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
    }

    /** Which of the two fails depends on who is first; both are posted before a result is taken. */
    @Test
    @Rule("MW-32")
    void ofTwoBindsUnderWayTheOneThatDidNotFailIsTheWindows() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Second second = Second.of(pair);
            List<NdQueuePair> posters = List.of(pair.owner.qp, second.ofOwner);
            List<Integer> tokens = new ArrayList<>();
            for (NdQueuePair poster : posters) {
                assertThat(poster.bind(poster, pair.owner.mr, window, pair.owner.address(0), 64, NdPair.WRITE))
                        .isEqualTo(NdStatus.SUCCESS);
                tokens.add(window.getRemoteToken());
            }
            NdResult one = pair.owner.result();
            NdResult other = pair.owner.result();
            NdResult bound = one.status().isSuccess() ? one : other;
            assertThat((bound == one ? other : one).status()).isEqualTo(NdStatus.INVALID_DEVICE_REQUEST);
            int binder = posters.indexOf(bound.requestContext());
            assertThat(window.getRemoteToken()).isEqualTo(tokens.get(binder));
            assertThat(posters.get(binder).invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.INVALIDATE, "invalidate");
        }
    }

    @Test
    @Rule("MW-32")
    void firstBindThatFailsLeavesNoToken() {
        try (NdPair pair = NdPair.open(fabric, PROFILE)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("empty", pair.owner.mr, window, pair.owner.address(0), 0, NdPair.READ))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, "empty");
            assertThat(window.getRemoteToken()).isZero();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** The Bind that was posted first waits behind a Read, is overtaken by one of another queue pair, and is cancelled. */
    @Test
    @Rule("MW-32")
    void bindThatWasPostedBeforeAndFailsLeavesTheNewerTokenAndHoldsItsRegionUntilThen() {
        try (NdPair pair = NdPair.open(fabric, PROFILE)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            Second second = Second.of(pair);
            readForEver(pair, second);
            int flags = NdPair.READ | NdOpFlags.READ_FENCE;
            assertThat(second.ofOwner.bind("late", region, window, region.addressOf(0), 64, flags))
                    .isEqualTo(NdStatus.SUCCESS);
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.DEVICE_BUSY);
            assertThat(second.ofOwner.flush()).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(NdStatus.CANCELED, NdRequestType.READ, "read");
            pair.owner.expect(NdStatus.CANCELED, NdRequestType.BIND, "late");
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.SUCCESS);
            assertThat(window.getRemoteToken()).isEqualTo(token);
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
            pair.invalidate(window);
        }
    }

    @Test
    @Rule("MW-32")
    void releaseOfTheQueuePairThatFailedLeavesTheBindingAndThatOfTheBinderEndsIt() {
        try (NdPair pair = NdPair.open(fabric, PROFILE)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Second second = Second.of(pair);
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            fail(pair, second, window, Failure.BOUND);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, Failure.BOUND);
            second.ofOwner.release();
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
            assertThat(window.getRemoteToken()).isEqualTo(token);

            Second third = Second.of(pair);
            fail(pair, third, window, Failure.BOUND);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, Failure.BOUND);
            pair.owner.qp.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    @Rule("MW-32")
    void strictBindAtPostKnowsThatABindIsUnderWayWhenAnotherHasFailed() {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withStrictBindAtPost(true))) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Second second = Second.of(pair);
            Second third = Second.of(pair);
            bindLate(pair, second, window);
            assertThat(second.ofOwner.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            bindLate(pair, third, window);
            flushLate(pair, second);
            pair.owner.expect(NdStatus.CANCELED, NdRequestType.INVALIDATE, "invalidate");
            assertThat(pair.owner.qp.bind("again", pair.owner.mr, window, pair.owner.address(0), 64, NdPair.READ))
                    .as("one is under way")
                    .isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            flushLate(pair, third);
            pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
        }
    }

    private static void bindLate(NdPair pair, Second second, NdMemoryWindow window) {
        readForEver(pair, second);
        int flags = NdPair.READ | NdOpFlags.READ_FENCE;
        assertThat(second.ofOwner.bind("late", pair.owner.mr, window, pair.owner.address(0), 64, flags))
                .isEqualTo(NdStatus.SUCCESS);
    }

    private static void flushLate(NdPair pair, Second second) {
        assertThat(second.ofOwner.flush()).isEqualTo(NdStatus.SUCCESS);
        pair.owner.expect(NdStatus.CANCELED, NdRequestType.READ, "read");
        pair.owner.expect(NdStatus.CANCELED, NdRequestType.BIND, "late");
    }

    /** A window whose index has run out of keys gets another index, but not while it is bound. */
    @Test
    @Rule("MW-32")
    void boundWindowIsNotBoundAgainByAnotherIndex() {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withKeyWrap(false))) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            Second second = Second.of(pair);
            List<Integer> tokens = new ArrayList<>();
            for (int i = 0; i < 256; i++) {
                if (i > 0) {
                    pair.invalidate(window);
                }
                tokens.add(pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE));
            }
            fail(pair, second, window, Failure.BOUND);
            pair.owner.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, Failure.BOUND);
            assertThat(window.getRemoteToken()).isEqualTo(tokens.get(255));
            pair.invalidate(window);
            assertThat(tokens).doesNotContain(pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE));
        }
    }

    @Test
    void regionIsFreeHoweverManyBindsToOthersCameAfterItsOwn() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("first", region, window, region.addressOf(0), 64, NdPair.READ))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "first");
            for (int i = 0; i < 130; i++) {
                pair.invalidate(window);
                pair.bind(window, AT, WINDOW_BYTES, NdPair.READ);
            }
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.SUCCESS);
        }
    }
}
