// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.sanitizer.World.await;
import static dev.verbatim.sanitizer.World.next;
import static dev.verbatim.sanitizer.World.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.sanitizer.World.Sides;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that find no receive: S11, S18. */
class MissingReceivesTest {

    private final List<String> places = new ArrayList<>();

    /** Two queue pairs; the first tries so often and no more. */
    private static QueuePair[] impatient(Sides sides, int tries) {
        QueuePair one = sides.a()
                .pd()
                .createQp(QpInitAttributes.rc(sides.a().sent(), sides.a().received(), QpCapabilities.USUAL));
        QueuePair other = sides.b()
                .pd()
                .createQp(QpInitAttributes.rc(sides.b().sent(), sides.b().received(), QpCapabilities.USUAL));
        RcConnection.USUAL.retries(14, 7, tries, 1).join(one, other);
        return new QueuePair[] {one, other};
    }

    @ParameterizedTest
    @EnumSource
    void receiveThatNeverCameIsCounted(World world) {
        List<Finding> findings = world.findings(sides -> {
            QueuePair[] pair = impatient(sides, 6);
            places.add(next());
            pair[0].postSend(sides.a().send(1, 0, 8));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
            assertThat(sides.b().device().counters()).containsEntry(DeviceCounter.SEND_RNR_ERR, 7L);
        });
        assertThat(of(Mistake.S18, findings)).isEmpty();
        assertThat(of(Mistake.S11, findings)).hasSize(1);
        Finding finding = of(Mistake.S11, findings).get(0);
        assertThat(finding.places()).isEqualTo(places);
        assertThat(finding.isError()).isFalse();
        assertThat(finding.sentence())
                .startsWith("no receive at qp 18 of b, 7 times, from t=")
                .contains("SEND wr_id=1");
    }

    @ParameterizedTest
    @EnumSource
    void firstReceiveBehindTheFirstMessageIsNotedWithBothPlaces(World world) {
        List<Finding> findings = world.findings(sides -> {
            places.add(next());
            sides.a().qp().postSend(sides.a().send(1, 0, 8));
            // Until the sender was told once.
            dev.verbatim.verbs.Device b = sides.b().device();
            while (b.counters().getOrDefault(DeviceCounter.SEND_RNR_ERR, 0L) == 0) {
                sides.a().sent().poll(1);
            }
            places.add(next());
            sides.b().qp().postRecv(sides.b().receive(2, 0, 8));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
            sides.b().qp().postRecv(sides.b().receive(3, 0, 8));
        });
        assertThat(of(Mistake.S11, findings)).isEmpty();
        assertThat(of(Mistake.S18, findings)).hasSize(1);
        assertThat(of(Mistake.S18, findings).get(0).places()).isEqualTo(places);
        assertThat(of(Mistake.S18, findings).get(0).sentence())
                .contains("the first receive of qp 17 of b was posted at");
    }

    @ParameterizedTest
    @EnumSource
    void receiveBeforeTheMessageIsSilentAndSoIsFlowControl(World world) {
        List<Finding> findings = world.findings(sides -> {
            sides.b().qp().postRecv(sides.b().receive(2, 0, 8));
            sides.a().qp().postSend(sides.a().send(1, 0, 8));
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            // The next message comes before its receive, which is not the first.
            sides.a().qp().postSend(sides.a().send(2, 0, 8));
            sides.b().qp().postRecv(sides.b().receive(3, 0, 8));
            assertThat(await(sides.b().received())).isEqualTo(WcStatus.SUCCESS);
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        });
        assertThat(of(Mistake.S11, findings)).isEmpty();
        assertThat(of(Mistake.S18, findings)).isEmpty();
    }
}
