// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.sanitizer.World.await;
import static dev.verbatim.sanitizer.World.next;
import static dev.verbatim.sanitizer.World.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.World.Sides;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes of outstanding requests: S1 and S2 by what they were at the post, S3 by who has them already. */
class OwnershipTest {

    private final List<String> places = new ArrayList<>();

    private Finding only(Mistake mistake, List<Finding> findings) {
        return World.only(mistake, places, findings);
    }

    @ParameterizedTest
    @EnumSource
    void sourceOfSendThatChangesBeforeItsCompletionIsFound(World world) {
        Finding finding = only(
                Mistake.S1,
                world
                        .findings(sides -> {
                            places.add(next());
                            sides.a().qp().postSend(sides.a().send(1, 64, 32));
                            sides.a().memory().buffer().putLong(72, -1);
                            sides.b().qp().postRecv(sides.b().receive(2, 0, 64));
                            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
                        })
                        // The late receive is a mistake of its own.
                        .stream()
                        .filter(each -> each.mistake() == Mistake.S1)
                        .toList());
        assertThat(finding.sentence())
                .contains("SEND wr_id=1")
                .contains("048,0x")
                .contains("050) of element");
    }

    @ParameterizedTest
    @EnumSource
    void sourceOfWriteBehindAWaitingSendThatChangesBeforeItIsGatheredIsFound(World world) {
        List<Finding> findings = world.findings(sides -> {
            sides.a().qp().postSend(sides.a().send(1, 0, 8));
            sides.a().qp().postSend(sides.a().read(9, 256, 8, sides.b()));
            places.add(next());
            sides.a().qp().postSend(sides.a().write(2, 64, 4096, sides.b()).plus(SendFlags.FENCE));
            sides.a().memory().buffer().put(64 + 4000, (byte) 1);
            sides.b().qp().postRecv(sides.b().receive(3, 0, 8));
            for (int i = 0; i < 3; i++) {
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            }
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        });
        assertThat(only(Mistake.S1, of(Mistake.S1, findings)).sentence())
                .contains("between its post and its gathering");
    }

    @ParameterizedTest
    @EnumSource
    void sourceThatChangesAfterTheCompletionIsSilent(World world) {
        world.requireSilence(sides -> {
            sides.b().qp().postRecv(sides.b().receive(2, 0, 64));
            sides.a().qp().postSend(sides.a().send(1, 64, 32));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            sides.a().memory().buffer().putLong(72, -1);
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        });
    }

    @ParameterizedTest
    @EnumSource
    void inlineSourceIsSilentWhateverHappensToIt(World world) {
        world.requireSilence(sides -> {
            sides.b().qp().postRecv(sides.b().receive(2, 0, 64));
            sides.b().qp().postRecv(sides.b().receive(3, 64, 64));
            for (int i = 0; i < 2; i++) {
                sides.a().qp().postSend(sides.a().send(i, 64, 8).plus(SendFlags.INLINE));
                sides.a().memory().buffer().putLong(64, i + 1);
            }
            for (int i = 0; i < 2; i++) {
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void receiveBufferThatChangesBeforeTheMessageIsFound(World world) {
        Finding finding = only(Mistake.S2, world.findings(sides -> {
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(2, 0, 64));
            sides.b().memory().buffer().put(5, (byte) 7);
            sides.a().qp().postSend(sides.a().send(1, 64, 32));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(finding.sentence())
                .contains("receive wr_id=2")
                .contains("05,0x")
                .contains("first placement");
    }

    @ParameterizedTest
    @EnumSource
    void destinationOfReadThatChangesBeforeTheAnswerIsFound(World world) {
        List<Finding> findings = world.findings(sides -> {
            sides.b().memory().buffer().putLong(256, 5);
            sides.a().qp().postSend(sides.a().send(1, 0, 8));
            places.add(next());
            sides.a().qp().postSend(sides.a().read(2, 256, 8, sides.b()));
            sides.a().memory().buffer().putLong(256, 3);
            sides.b().qp().postRecv(sides.b().receive(3, 0, 8));
            for (int i = 0; i < 2; i++) {
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            }
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        });
        only(Mistake.S2, of(Mistake.S2, findings));
    }

    @ParameterizedTest
    @EnumSource
    void bytesOfAReceiveBehindItsMessageAreSilent(World world) {
        world.requireSilence(sides -> {
            sides.b().qp().postRecv(sides.b().receive(2, 0, 64));
            sides.b().memory().buffer().put(32, (byte) 7);
            sides.a().qp().postSend(sides.a().send(1, 64, 32));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        });
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatADevicePlacedAreNotThoseOfAProgram(World world) {
        List<Finding> findings = world.findings(sides -> {
            sides.b().memory().buffer().putLong(128, 5);
            // Its source is changed by the peer's WRITE while it waits for a receive.
            sides.a().qp().postSend(sides.a().send(1, 128, 8));
            sides.b().qp().postSend(sides.b().write(2, 128, 8, sides.a()));
            assertThat(await(sides.b().sent())).isEqualTo(WcStatus.SUCCESS);
            sides.b().qp().postRecv(sides.b().receive(3, 0, 8));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
        });
        assertThat(of(Mistake.S1, findings)).isEmpty();
        assertThat(of(Mistake.S2, findings)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void messageIntoBytesOfTwoReceivesIsFound(World world) {
        Finding finding = only(Mistake.S3, world.findings(sides -> {
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(1, 0, 64));
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(2, 32, 64));
            sides.a().qp().postSend(sides.a().send(3, 0, 64));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(finding.sentence())
                .contains("receive wr_id=2")
                .contains("20,0x")
                .contains("which receive wr_id=1");
    }

    @ParameterizedTest
    @EnumSource
    void receivesThatOnlyTakeImmediatesMayHaveTheSameBytes(World world) {
        world.requireSilence(sides -> {
            for (int i = 0; i < 2; i++) {
                sides.b().qp().postRecv(sides.b().receive(i, 128, 8));
            }
            for (int i = 0; i < 2; i++) {
                sides.a().qp().postSend(sides.a().writeWithImmediate(i, 7, 0, 8, sides.b()));
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void readIntoThePostedSourceOfAnotherQueueIsFound(World world) {
        List<Finding> findings = world.findings(sides -> {
            QueuePair second = second(sides);
            places.add(next());
            sides.a().qp().postSend(sides.a().send(1, 0, 8));
            places.add(next());
            second.postSend(sides.a().read(2, 0, 8, sides.b()));
        });
        assertThat(of(Mistake.S3, findings)).hasSize(1);
        assertThat(of(Mistake.S3, findings).get(0).places()).isEqualTo(places);
    }

    private static QueuePair second(Sides sides) {
        QpInitAttributes left = QpInitAttributes.rc(sides.a().sent(), sides.a().received(), QpCapabilities.USUAL);
        QpInitAttributes right = QpInitAttributes.rc(sides.b().sent(), sides.b().received(), QpCapabilities.USUAL);
        QueuePair one = sides.a().pd().createQp(left);
        RcConnection.connect(one, sides.b().pd().createQp(right));
        return one;
    }

    @ParameterizedTest
    @EnumSource
    void twoResultsInTheSameBytesAreFoundUnlessTheSecondIsFenced(World world) {
        only(Mistake.S3, world.findings(sides -> twoResults(sides, 0)));
        world.requireSilence(sides -> twoResults(sides, SendFlags.FENCE));
    }

    /** The result of an atomic may be returned before that of a READ (table F.1). */
    private void twoResults(Sides sides, int flags) {
        places.clear();
        places.add(next());
        sides.a().qp().postSend(sides.a().read(1, 0, 8, sides.b()).unsignaled());
        places.add(next());
        sides.a().qp().postSend(fetchAndAdd(2, sides).plus(flags));
        assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
    }

    private static SendWorkRequest fetchAndAdd(long id, Sides sides) {
        return SendWorkRequest.fetchAndAdd(
                id, sides.b().address(64), sides.b().rkey(), 1, sides.a().sge(0, 8));
    }

    /** Table F.1 keeps the order of a READ behind a READ or an atomic: the bytes are those of the second. */
    @ParameterizedTest
    @EnumSource
    void readBehindAResultInTheSameBytesIsSilent(World world) {
        world.requireSilence(sides -> {
            sides.a().qp().postSend(fetchAndAdd(1, sides).unsignaled());
            sides.a().qp().postSend(sides.a().read(2, 0, 8, sides.b()).unsignaled());
            sides.a().qp().postSend(sides.a().read(3, 4, 8, sides.b()));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatStandsBehindAFencedRequestIsFencedToo(World world) {
        world.requireSilence(sides -> {
            sides.a().qp().postSend(sides.a().read(1, 0, 8, sides.b()).unsignaled());
            sides.a()
                    .qp()
                    .postSend(sides.a().write(2, 64, 8, sides.b()).unsignaled().plus(SendFlags.FENCE));
            sides.a().qp().postSend(sides.a().write(3, 0, 8, sides.b()));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestBehindAPolledOneIsSilent(World world) {
        world.requireSilence(sides -> {
            for (int i = 0; i < 3; i++) {
                sides.a().qp().postSend(sides.a().read(i, 0, 8, sides.b()));
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void overlappingSourcesAreSilentAlsoWithSelectiveSignaling(World world) {
        world.requireSilence(sides -> {
            for (int i = 0; i < 8; i++) {
                sides.a()
                        .qp()
                        .postSend(
                                i % 4 == 3
                                        ? sides.a().write(i, i, 64, sides.b())
                                        : sides.a().write(i, i, 64, sides.b()).unsignaled());
            }
            for (int i = 0; i < 2; i++) {
                assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void scratchBufferMayHaveAnyNumberOfResults(World world) {
        Sanitizer sanitizer = Sanitizer.withSites();
        List<Finding> findings = world.findings(DeviceProfile.STRICT_IBTA, sanitizer, sides -> {
            sanitizer.scratch(sides.a().memory(), 0, 16);
            twoResults(sides, 0);
        });
        assertThat(of(Mistake.S3, findings)).isEmpty();
        // A scratch buffer that does not have all of the common bytes is none.
        Sanitizer other = Sanitizer.withSites();
        List<Finding> partly = world.findings(DeviceProfile.STRICT_IBTA, other, sides -> {
            other.scratch(sides.a().memory(), 0, 4);
            twoResults(sides, 0);
        });
        assertThat(of(Mistake.S3, partly)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void silencedMistakeIsNotFound(World world) {
        Sanitizer sanitizer = Sanitizer.withSites().silence(Mistake.S3, "the same bytes come each time");
        List<Finding> findings = world.findings(DeviceProfile.STRICT_IBTA, sanitizer, sides -> twoResults(sides, 0));
        assertThat(of(Mistake.S3, findings)).isEmpty();
        assertThat(sanitizer.toString()).contains("S3 is silenced: the same bytes come each time");
    }
}
