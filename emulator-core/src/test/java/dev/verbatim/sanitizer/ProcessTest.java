// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A process whose program is not Java: its threads are one program, and it says where it is. */
class ProcessTest {

    private final List<Finding> told = new ArrayList<>();
    private final Sanitizer sanitizer = Sanitizer.ofProcess(this::place).onFinding(told::add);
    private @Nullable String place;

    private @Nullable String place() {
        return place;
    }

    private interface Program {
        void run(RcPeer left, RcPeer right) throws InterruptedException;
    }

    /** What is told of a program, but of what it leaves open. */
    private List<Finding> findings(Program program) throws InterruptedException {
        try (Verbatim rdma =
                Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE).sanitize(sanitizer)) {
            RcPair pair = RcPair.connect(rdma.open("a"), rdma.open("b"));
            program.run(pair.left(), pair.right());
        }
        return told.stream().filter(each -> each.mistake() != Mistake.S15).toList();
    }

    private static WcStatus next(RcPeer peer) {
        return peer.sent().awaitCompletion(Await.LIMIT).status();
    }

    @Test
    void closingNeitherThrowsNorLogsWhatWasTold() throws InterruptedException {
        List<Finding> found = findings((left, right) -> {
            place = "free.c:3";
            sanitizer.freed(right.memory().address(), 16, "free");
        });

        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.mistake()).isEqualTo(Mistake.S22);
            assertThat(finding.places()).containsExactly("", "free.c:3");
            assertThat(finding.sentence())
                    .startsWith("free at free.c:3 gave [0x")
                    .endsWith(" was not deregistered");
        });
    }

    @Test
    void blockWithPartOfARegionMayBeFreed() throws InterruptedException {
        assertThat(findings((left, right) -> {
                    long address = right.memory().address();
                    sanitizer.freed(address + 1, 16, "free");
                    sanitizer.freed(address - 16, 32, "free");
                    right.close();
                    sanitizer.freed(address, 16, "free");
                }))
                .isEmpty();
    }

    @Test
    void pageOfARegionMayNotBeUnmapped() throws InterruptedException {
        List<Finding> found = findings((left, right) -> {
            long address = right.memory().address();
            long bytes = RcPeer.USUAL_BYTES;
            sanitizer.unmapped(address - 16, 16, "munmap");
            sanitizer.unmapped(address + bytes, 16, "munmap");
            assertThat(told).isEmpty();
            sanitizer.unmapped(address + bytes - 1, 16, "munmap");
        });

        assertThat(found)
                .singleElement()
                .satisfies(finding -> assertThat(finding.mistake()).isEqualTo(Mistake.S22));
    }

    @Test
    void whatOneThreadKnowsAllKnow() throws InterruptedException {
        assertThat(findings((left, right) -> {
                    left.qp().postSend(left.write(1, 0, 8, right));
                    assertThat(next(left)).isEqualTo(WcStatus.SUCCESS);
                    Thread other = new Thread(() -> {
                        right.qp().postSend(SendWorkRequest.read(2, left.address(64), left.rkey(), right.sge(0, 8)));
                        assertThat(next(right)).isEqualTo(WcStatus.SUCCESS);
                    });
                    other.start();
                    other.join();
                }))
                .isEmpty();
    }

    private static SendWorkRequest wrong(RcPeer left, RcPeer right) {
        return SendWorkRequest.write(1, right.address(0), right.rkey() ^ 0x100, left.sge(0, 8));
    }

    @Test
    void postBehindAFailureThatWasPolledIsToldIfTheProgramPolledAgain() throws InterruptedException {
        List<Finding> found = findings((left, right) -> {
            left.qp().postSend(wrong(left, right));
            place = "poll.c:7";
            assertThat(next(left)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            place = "poll.c:8";
            left.qp().postSend(left.write(2, 0, 8, right));
            assertThat(of(Mistake.S7)).isEmpty();
            next(left);
            place = "poll.c:9";
            left.qp().postSend(left.write(3, 0, 8, right));
            left.qp().postSend(left.write(4, 0, 8, right));
            assertThat(of(Mistake.S7))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.places()).containsExactly("poll.c:7", "poll.c:9"));
        });
        assertThat(found).extracting(Finding::mistake).contains(Mistake.S7);
    }

    @Test
    void programThatHasSetTheQueuePairToErrorMayPostWhatEndsItsFlush() throws InterruptedException {
        findings((left, right) -> {
            left.qp().postSend(wrong(left, right));
            assertThat(next(left)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            assertThat(left.sent().poll(1)).isEmpty();
            left.qp().modify(new QpAttributes().state(QpState.ERR), QpAttributeMask.STATE);
            for (int id = 2; id < 4; id++) {
                left.qp().postSend(left.write(id, 0, 8, right));
                assertThat(next(left)).isEqualTo(WcStatus.WR_FLUSH_ERR);
            }
            assertThat(of(Mistake.S7)).isEmpty();
        });
    }

    @Test
    void threadThatHasNotPolledTheFailureMayPost() throws InterruptedException {
        findings((left, right) -> {
            left.qp().postSend(wrong(left, right));
            assertThat(next(left)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            assertThat(left.sent().poll(1)).isEmpty();
            Thread other = new Thread(() -> left.qp().postSend(left.write(2, 0, 8, right)));
            other.start();
            other.join();
            assertThat(of(Mistake.S7)).isEmpty();
        });
    }

    private List<Finding> of(Mistake mistake) {
        return World.of(mistake, told);
    }

    @Test
    void failureIsToldAtAGoodEndUnlessTheQueuePairWasReset() throws InterruptedException {
        findings((left, right) -> {
            left.qp().postSend(wrong(left, right));
            assertThat(next(left)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            left.qp().modify(new QpAttributes().state(QpState.RESET), QpAttributeMask.STATE);
            sanitizer.endsWell();
            assertThat(of(Mistake.S7)).isEmpty();
        });
        told.clear();
        findings((left, right) -> {
            left.qp().postSend(wrong(left, right));
            place = "end.c:4";
            assertThat(next(left)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            sanitizer.endsWell();
            assertThat(of(Mistake.S7))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.places()).containsExactly("end.c:4"));
        });
    }

    private static void add(RcPeer left, RcPeer right, long id) {
        left.qp().postSend(SendWorkRequest.fetchAndAdd(id, right.address(0), right.rkey(), 1, left.sge(0, 8)));
    }

    @Test
    void wordThatTheProgramChangedBetweenTwoAtomicsIsTold() throws InterruptedException {
        List<Finding> found = findings((left, right) -> {
            add(left, right, 1);
            right.memory().buffer().putLong(0, 10);
            add(left, right, 2);
            next(left);
            next(left);
        });
        assertThat(found).extracting(Finding::mistake).contains(Mistake.S14);
    }

    @Test
    void wordThatTheProgramChangedWhenItKnewOfTheAtomicIsNotTold() throws InterruptedException {
        findings((left, right) -> {
            add(left, right, 1);
            next(left);
            right.memory().buffer().putLong(0, 10);
            add(left, right, 2);
            next(left);
            left.qp().postSend(left.write(3, 8, 8, right));
            add(left, right, 4);
            next(left);
            next(left);
        });
        assertThat(of(Mistake.S14)).isEmpty();
    }
}
