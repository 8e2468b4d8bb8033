// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.sanitizer.World.await;
import static dev.verbatim.sanitizer.World.next;
import static dev.verbatim.sanitizer.World.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.World.Sides;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is closed while it is named (S8), and what is left open (S15). */
class LifeCyclesTest {

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.MW_BIND;

    private final List<String> places = new ArrayList<>();

    private static List<Finding> closing(World world, Consumer<Sides> program) {
        return of(Mistake.S8, world.findings(program));
    }

    private static MemoryRegion region(Sides sides) {
        return sides.b().pd().register(Memory.allocate(256), RIGHTS);
    }

    @ParameterizedTest
    @EnumSource
    void regionThatIsClosedUnderAReceiveIsFound(World world) {
        List<Finding> findings = closing(world, sides -> {
            MemoryRegion region = region(sides);
            places.add(next());
            sides.b().qp().postRecv(ReceiveWorkRequest.of(3, region.sge(0, 8)));
            sides.b().qp().postRecv(ReceiveWorkRequest.of(4, region.sge(8, 8)));
            places.add(next());
            region.close();
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).isError()).isTrue();
        assertThat(findings.get(0).sentence())
                .contains("while 2 requests name it whose completions were not polled: receive wr_id=3 of qp 17 of b");
    }

    @ParameterizedTest
    @EnumSource
    void regionThatIsReregisteredUnderAReceiveIsFound(World world) {
        List<Finding> findings = closing(world, sides -> {
            MemoryRegion region = region(sides);
            places.add(next());
            sides.b().qp().postRecv(ReceiveWorkRequest.of(3, region.sge(0, 8)));
            places.add(next());
            region.reregister(ReregistrationFlags.CHANGE_ACCESS, null, null, 0, 0, AccessFlags.LOCAL_WRITE);
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
    }

    @ParameterizedTest
    @EnumSource
    void regionThatIsClosedUnderAReceiveOfASharedQueueIsFound(World world) {
        List<Finding> findings = closing(world, sides -> {
            MemoryRegion region = region(sides);
            CompletionQueue cq = sides.b().device().createCq(8);
            SharedReceiveQueue srq = sides.b().pd().createSrq(SrqInitAttributes.basic(8));
            var qp = sides.b()
                    .pd()
                    .createQp(new QpInitAttributes(QpType.RC, cq, cq, QpCapabilities.USUAL, false, null, srq));
            dev.verbatim.RcConnection.connect(qp, qp);
            places.add(next());
            srq.postRecv(ReceiveWorkRequest.of(3, region.sge(0, 8)));
            places.add(next());
            region.close();
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
    }

    @ParameterizedTest
    @EnumSource
    void windowThatIsClosedUnderItsBindIsFound(World world) {
        List<Finding> findings = closing(world, sides -> {
            MemoryWindow window = sides.b().pd().allocateWindow(MemoryWindowType.TYPE_2);
            // It waits behind a message that finds no receive.
            sides.b().qp().postSend(sides.b().send(1, 0, 8));
            sides.b().qp().postSend(sides.b().read(2, 64, 8, sides.a()));
            places.add(next());
            sides.b()
                    .qp()
                    .postSend(SendWorkRequest.bind(
                            3,
                            dev.verbatim.verbs.SendFlags.SIGNALED | dev.verbatim.verbs.SendFlags.FENCE,
                            window,
                            Rkey.increment(window.rkey()),
                            BindInfo.of(sides.b().region(), AccessFlags.REMOTE_WRITE)));
            places.add(next());
            window.close();
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).hasSize(2).last().isEqualTo(places.get(1));
        assertThat(findings.get(0).sentence())
                .contains("window 1 of TYPE_2 of device b was closed")
                .contains("BIND_MW wr_id=3");
    }

    @ParameterizedTest
    @EnumSource
    void regionThatIsClosedBehindTheFlushIsSilent(World world) {
        assertThat(closing(world, sides -> {
                    MemoryRegion first = region(sides);
                    sides.b().qp().postRecv(ReceiveWorkRequest.of(3, first.sge(0, 8)));
                    sides.b().qp().modify(new QpAttributes().state(QpState.ERR));
                    first.close();
                }))
                .isEmpty();
        assertThat(closing(world, sides -> {
                    MemoryRegion region = region(sides);
                    sides.b().qp().postRecv(ReceiveWorkRequest.of(3, region.sge(0, 8)));
                    sides.b().qp().close();
                    region.close();
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void regionThatIsClosedBehindTheCompletionIsSilent(World world) {
        assertThat(closing(world, sides -> {
                    MemoryRegion region = region(sides);
                    sides.b().qp().postRecv(ReceiveWorkRequest.of(3, region.sge(0, 8)));
                    sides.a().qp().postSend(sides.a().send(1, 0, 8));
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                    // The receive has completed as well, whether its completion was polled or not.
                    region.close();
                    assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void regionsThatEndWithTheirDeviceAreSilent(World world) {
        assertThat(closing(world, sides -> sides.b().qp().postRecv(sides.b().receive(1, 0, 8))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void objectsThatAreLeftOpenAreNotedWithTheirPlaces(World world) {
        Sanitizer sanitizer = Sanitizer.withSites();
        world.devices(DeviceProfile.STRICT_IBTA, sanitizer, (left, right) -> {
            places.add(next());
            ProtectionDomain pd = left.allocatePd();
            places.add(next());
            MemoryRegion region = pd.register(Memory.allocate(8), RIGHTS);
            places.add(next());
            right.createCq(4);
            right.createCompletionChannel().close();
            pd.allocateWindow(MemoryWindowType.TYPE_1).close();
            assertThat(region.lengthBytes()).isEqualTo(8);
        });
        assertThat(sanitizer.findings()).allMatch(finding -> finding.mistake() == Mistake.S15 && !finding.isError());
        assertThat(sanitizer.findings().stream().flatMap(finding -> finding.places().stream()))
                .isEqualTo(places);
        assertThat(sanitizer.findings().get(2).sentence())
                .isEqualTo("cq of b with 4 entries of device b, made at " + places.get(2) + ", was not closed");
    }

    /** The device may have executed it, and the program does not know. */
    @ParameterizedTest
    @EnumSource
    void regionThatIsClosedBeforeThePollIsFound(World world) {
        List<Finding> findings = closing(world, sides -> {
            MemoryRegion region = region(sides);
            sides.a().qp().postRecv(sides.a().receive(2, 0, 8));
            places.add(next());
            sides.b().qp().postSend(SendWorkRequest.send(3, region.sge(0, 8)));
            places.add(next());
            region.close();
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
    }

    private List<Finding> endings(World world, Consumer<Sides> program) {
        return of(Mistake.S21, world.findings(program));
    }

    @ParameterizedTest
    @EnumSource
    void queuePairThatIsClosedBeforeItsRequestsAreOverIsNoted(World world) {
        List<Finding> findings = endings(world, sides -> {
            sides.a().qp().postRecv(sides.a().receive(2, 0, 8));
            places.add(next());
            sides.b().qp().postSend(sides.b().send(3, 0, 8));
            places.add(next());
            sides.b().qp().close();
            sides.b().device().createCq(4);
        });
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).isError()).isFalse();
        assertThat(findings.get(0).sentence())
                .contains("with 1 send requests of which nothing tells")
                .contains("SEND wr_id=3");
    }

    @ParameterizedTest
    @EnumSource
    void queuePairThatIsClosedBehindThemIsSilent(World world) {
        assertThat(endings(world, sides -> {
                    sides.a().qp().postRecv(sides.a().receive(2, 0, 8));
                    sides.b().qp().postRecv(sides.b().receive(2, 0, 8));
                    sides.b().qp().postSend(sides.b().send(3, 0, 8).unsignaled());
                    assertThat(await(sides.a().received())).isEqualTo(WcStatus.SUCCESS);
                    sides.b().qp().close();
                    sides.b().device().createCq(4);
                }))
                .isEmpty();
        assertThat(endings(world, sides -> {
                    sides.b().qp().postSend(sides.b().send(3, 0, 8));
                    sides.b().qp().modify(new QpAttributes().state(QpState.ERR));
                    sides.b().qp().close();
                    sides.b().device().createCq(4);
                }))
                .isEmpty();
        assertThat(endings(world, sides -> {
                    sides.b().qp().postSend(sides.b().send(3, 0, 8));
                    sides.close();
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void programThatClosesWhatItMadeIsSilent(World world) {
        assertThat(world.findings(Sides::close)).isEmpty();
    }
}
