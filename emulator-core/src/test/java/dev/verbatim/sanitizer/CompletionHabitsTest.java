// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.sanitizer.World.await;
import static dev.verbatim.sanitizer.World.next;
import static dev.verbatim.sanitizer.World.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.World.Sides;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What programs do with completions and their events: S7, S9, S12, S16. */
class CompletionHabitsTest {

    private final List<String> places = new ArrayList<>();

    private Finding only(Mistake mistake, List<Finding> findings) {
        return World.only(mistake, places, findings);
    }

    @ParameterizedTest
    @EnumSource
    void successWhoseStatusWasNeverLookedAtIsNoted(World world) {
        Finding finding = only(Mistake.S7, world.findings(sides -> {
            sides.a().qp().postSend(sides.a().write(1, 0, 8, sides.b()));
            places.add(next());
            WorkCompletion first = sides.a().sent().awaitCompletion(Await.LIMIT);
            assertThat(first.id()).isEqualTo(1);
            sides.a().qp().postSend(sides.a().write(2, 0, 8, sides.b()));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(finding.isError()).isFalse();
        assertThat(finding.sentence()).startsWith("the status of 1 of 2 successful completions of cq of a");
    }

    @ParameterizedTest
    @EnumSource
    void failureWhoseStatusWasNeverLookedAtIsNotedBeforeAll(World world) {
        List<Finding> findings = world.findings(sides -> {
            sides.a().qp().postSend(sides.a().write(1, 0, 8, sides.b()));
            assertThat(sides.a().sent().awaitCompletion(Await.LIMIT).id()).isEqualTo(1);
            sides.a().qp().postSend(SendWorkRequest.write(7, 0, 0, sides.a().sge(0, 8)));
            places.add(next());
            WorkCompletion failed = sides.a().sent().awaitCompletion(Await.LIMIT);
            assertThat(failed.id()).isEqualTo(7);
            assertThat(sides.b().device().getAsyncEvent(Await.LIMIT)).isNotNull();
        });
        Finding finding = of(Mistake.S7, findings).get(0);
        assertThat(finding.places()).isEqualTo(places);
        assertThat(finding.sentence())
                .isEqualTo(
                        "the completion wr_id=7 REM_ACCESS_ERR of qp 17 of a was polled and its status never looked at");
        assertThat(of(Mistake.S7, findings)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void failureLeftInTheQueueAndUnreadEventAreNoted(World world) {
        List<Finding> findings = world.findings(sides -> {
            places.add(next());
            sides.a().qp().postSend(SendWorkRequest.write(7, 0, 0, sides.a().sge(0, 8)));
            Device device = sides.a().device();
            if (world == World.IN_PROCESS) {
                dev.verbatim.testing.Await.until(
                        "failure", () -> !device.unpolledFailures().isEmpty());
            } else {
                assertThat(catchThrowable(() -> device.getAsyncEvent(Duration.ofSeconds(1))))
                        .isNotNull();
            }
        });
        assertThat(of(Mistake.S7, findings))
                .extracting(Finding::sentence)
                .containsExactly(
                        "the completion wr_id=7 REM_ACCESS_ERR of qp 17 of a was never polled",
                        "1 asynchronous events of device b were never read: [QP_ACCESS_ERR]");
        assertThat(of(Mistake.S7, findings).get(0).places()).isEqualTo(places);
    }

    @ParameterizedTest
    @EnumSource
    void intendedFlushIsSilentWhetherPolledOrNot(World world) {
        world.requireSilence(sides -> {
            sides.b().qp().postRecv(sides.b().receive(1, 0, 8));
            sides.b().qp().postRecv(sides.b().receive(2, 8, 8));
            sides.b().qp().modify(new QpAttributes().state(QpState.ERR));
            assertThat(sides.b().received().awaitCompletion(Await.LIMIT).id()).isEqualTo(1);
            sides.close();
        });
    }

    /** A side whose completion queue has a channel, and its peer. */
    private record Notified(CompletionChannel channel, CompletionQueue cq, QueuePair qp, Sides sides) {

        static Notified of(Sides sides, int entries) {
            Device device = sides.b().device();
            CompletionChannel channel = device.createCompletionChannel();
            CompletionQueue cq = device.createCq(entries, null, channel, 0);
            QueuePair qp = sides.b().pd().createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
            QpInitAttributes other =
                    QpInitAttributes.rc(sides.a().sent(), sides.a().received(), QpCapabilities.USUAL);
            RcConnection.connect(qp, sides.a().pd().createQp(other));
            return new Notified(channel, cq, qp, sides);
        }

        void write(long id) {
            qp.postSend(sides.b().write(id, 0, 8, sides.a()));
        }

        void waitInVain() {
            assertThat(catchThrowable(() -> channel.getEvent(Duration.ofMillis(1))))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitBehindAnArmThatCameTooLateIsFound(World world) {
        Finding finding = only(Mistake.S9, world.findings(sides -> {
            Notified b = Notified.of(sides, 16);
            b.cq().requestNotify(false);
            b.write(1);
            b.channel().getEvent(Await.LIMIT).acknowledge();
            places.add(next());
            b.cq().requestNotify(false);
            places.add(next());
            Throwable inVain = catchThrowable(() -> b.channel().getEvent(Duration.ofMillis(1)));
            assertThat(inVain).isNotNull();
            assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(finding.isError()).isTrue();
        assertThat(finding.sentence()).contains("while 1 completions waited").contains("without a look");
    }

    /** It would go well here, for nothing comes until it waits; and it is wrong wherever the peer is quicker. */
    @ParameterizedTest
    @EnumSource
    void waitBehindAnArmThatNoPollFollowsIsFound(World world) {
        Finding finding = only(Mistake.S9, world.findings(sides -> {
            Notified b = Notified.of(sides, 16);
            b.qp().postRecv(sides.b().receive(1, 0, 8));
            assertThat(b.cq().poll(1)).isEmpty();
            places.add(next());
            b.cq().requestNotify(false);
            places.add(next());
            Throwable inVain = catchThrowable(() -> b.channel().getEvent(Duration.ofMillis(1)));
            assertThat(inVain).isNotNull();
        }));
        assertThat(finding.sentence())
                .contains("found nothing, with 1 requests outstanding")
                .contains("without another poll");
    }

    @ParameterizedTest
    @EnumSource
    void waitBehindAnArmBeforeWhichNothingCouldCompleteIsSilent(World world) {
        world.requireSilence(sides -> {
            Notified b = Notified.of(sides, 16);
            assertThat(b.cq().poll(1)).isEmpty();
            b.cq().requestNotify(false);
            b.write(1);
            b.channel().getEvent(Await.LIMIT).acknowledge();
            assertThat(b.cq().poll(1)).allMatch(WorkCompletion::isSuccess).hasSize(1);
            b.qp().postRecv(sides.b().receive(1, 0, 8));
            b.cq().requestNotify(false);
            assertThat(b.cq().poll(1)).isEmpty();
            b.waitInVain();
        });
    }

    @ParameterizedTest
    @EnumSource
    void notifyThenPollIsSilent(World world) {
        world.requireSilence(sides -> {
            Notified b = Notified.of(sides, 16);
            b.write(1);
            b.cq().requestNotify(false);
            List<WorkCompletion> found = b.cq().poll(4);
            found.forEach(each -> assertThat(each.isSuccess()).isTrue());
            if (found.isEmpty()) {
                b.channel().getEvent(Await.LIMIT).acknowledge();
                assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
            } else {
                b.waitInVain();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void armBeforeAnythingIsPostedIsSilent(World world) {
        world.requireSilence(sides -> {
            Notified b = Notified.of(sides, 16);
            b.cq().requestNotify(false);
            b.write(1);
            b.channel().getEvent(Await.LIMIT).acknowledge();
            assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
        });
    }

    @ParameterizedTest
    @EnumSource
    void armsWhoseEventsNobodyReadsAreNoted(World world) {
        Finding finding = only(Mistake.S16, world.findings(sides -> {
            Notified b = Notified.of(sides, 16);
            places.add(next());
            b.cq().requestNotify(false);
            assertThat(b.cq().poll(1)).isEmpty();
            b.write(1);
            assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(finding.sentence()).contains("was armed 1 times").contains("no event of its channel was ever read");
    }

    @ParameterizedTest
    @EnumSource
    void notifyWithoutAChannelIsNoted(World world) {
        only(Mistake.S16, world.findings(sides -> {
            places.add(next());
            sides.a().sent().requestNotify(false);
        }));
    }

    @ParameterizedTest
    @EnumSource
    void sameIdentifierOfOutstandingRequestsIsNoted(World world) {
        Finding finding = only(Mistake.S16, world.findings(sides -> {
            sides.b().qp().postRecv(sides.b().receive(4, 0, 8));
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(5, 8, 8));
            sides.b().qp().postRecv(sides.b().receive(6, 16, 8));
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(5, 24, 8));
            sides.b().qp().postRecv(sides.b().receive(5, 32, 8));
        }));
        assertThat(finding.sentence()).contains("receive wr_id=5 of qp 17 of b");
    }

    @ParameterizedTest
    @EnumSource
    void identifiersOfARingAndOfUnsignaledRequestsAreSilent(World world) {
        world.requireSilence(sides -> {
            for (int i = 0; i < 24; i++) {
                if (i >= 4) {
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                }
                sides.a().qp().postSend(sides.a().write(0, 0, 8, sides.b()).unsignaled());
                sides.a().qp().postSend(sides.a().write(i % 4, 0, 8, sides.b()));
            }
            for (int i = 0; i < 4; i++) {
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestThatMayOverrunItsCompletionQueueIsNoted(World world) {
        Finding finding = only(Mistake.S12, world.findings(sides -> {
            Notified b = Notified.of(sides, 2);
            b.qp().postRecv(sides.b().receive(1, 0, 8));
            b.qp().postRecv(sides.b().receive(2, 8, 8));
            places.add(next());
            b.qp().postRecv(sides.b().receive(3, 16, 8));
        }));
        assertThat(finding.sentence()).contains("number 3").contains("into the 2 entries of cq of b");
    }

    @ParameterizedTest
    @EnumSource
    void receivesOfASharedQueueCountForItsCompletionQueue(World world) {
        only(Mistake.S12, world.findings(sides -> {
            CompletionQueue cq = sides.b().device().createCq(2);
            SharedReceiveQueue srq = sides.b().pd().createSrq(SrqInitAttributes.basic(8));
            sides.b()
                    .pd()
                    .createQp(new QpInitAttributes(
                            dev.verbatim.verbs.QpType.RC, cq, cq, QpCapabilities.USUAL, false, null, srq));
            srq.postRecv(ReceiveWorkRequest.of(1, sides.b().sge(0, 8)));
            srq.postRecv(ReceiveWorkRequest.of(2, sides.b().sge(8, 8)));
            places.add(next());
            srq.postRecv(ReceiveWorkRequest.of(3, sides.b().sge(16, 8)));
        }));
    }

    @ParameterizedTest
    @EnumSource
    void smallCompletionQueueUnderCreditsIsSilent(World world) {
        world.requireSilence(sides -> {
            Notified b = Notified.of(sides, 2);
            for (int i = 0; i < 8; i++) {
                b.write(2 * i);
                b.qp().postSend(sides.b().write(77, 0, 8, sides.a()).unsignaled());
                b.write(2 * i + 1);
                assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
                assertThat(await(b.cq())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void silencedNoteIsNotTold(World world) {
        Sanitizer sanitizer = Sanitizer.withSites().silence(Mistake.S16, "shown on purpose");
        assertThat(of(
                        Mistake.S16,
                        world.findings(
                                DeviceProfile.STRICT_IBTA,
                                sanitizer,
                                sides -> sides.a().sent().requestNotify(false))))
                .isEmpty();
    }
}
