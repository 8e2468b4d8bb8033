// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import static dev.verbatim.testing.Outcomes.asserted;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** The order of what happens in two devices, seen from outside (F.2). */
class OrderPropertiesTest {

    private static final DeviceProfile AS_OFTEN_AS_IT_TAKES = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("as often as it takes")
            .infiniteRetrySeven(true)
            .build();

    private final Ground ground = new Ground();

    @Property(tries = 50, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"ORD-10", "ORD-11", "ORD-12", "ORD-15", "ORD-19", "ORD-20"})
    void eventsOfEveryStreamAreInThePartialOrder(@ForAll("perfect") Program program) {
        check(program, true);
    }

    /** Here a READ may be fetched once more when later ones have been, so the order of READs is left out. */
    @Property(tries = 50, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"ORD-10", "ORD-11", "ORD-15", "ORD-19"})
    void eventsOfEveryStreamAreInThePartialOrderWhateverIsLost(@ForAll("reordering") Program program) {
        check(program, false);
    }

    private void check(Program program, boolean lossless) {
        try (Traffic traffic = new Traffic(apart(program), ground.fresh(), AS_OFTEN_AS_IT_TAKES).run()) {
            List<TraceEvent> trace = traffic.events();
            for (RequestStream stream : traffic.streams) {
                OrderCheck order = new OrderCheck(trace, stream)
                        .completionsAreInPostOrder()
                        .effectsAreInPostOrder()
                        .everyOperationGoesItsWay()
                        .fencesHold();
                if (lossless) {
                    order.readsAreInPostOrder();
                }
            }
            asserted();
        }
    }

    /** The same program, but that every operation has a place of its own, so that the trace tells them apart. */
    private static Program apart(Program program) {
        return new Program(
                program.streams().stream().map(OrderPropertiesTest::apart).toList(),
                program.connection(),
                program.faults(),
                program.firstPsn(),
                program.seed());
    }

    private static List<Operation> apart(List<Operation> operations) {
        int room = Program.TARGET_BYTES / Ground.MOST_OPERATIONS / Long.BYTES * Long.BYTES;
        List<Operation> apart = new ArrayList<>();
        for (Operation operation : operations) {
            Operation.Kind kind = switch (operation.kind()) {
                case ADD_SHARED -> Operation.Kind.ADD;
                case READ_SHARED -> Operation.Kind.READ;
                default -> operation.kind();
            };
            int lengthBytes = operation.isSend() ? operation.lengthBytes() : operation.lengthBytes() % (room + 1);
            apart.add(new Operation(
                    kind,
                    apart.size() * room,
                    lengthBytes,
                    operation.operand(),
                    operation.fenced(),
                    operation.signaled()));
        }
        return apart;
    }

    @Provide
    Arbitrary<Program> perfect() {
        return Programs.overPerfectLinks();
    }

    @Provide
    Arbitrary<Program> reordering() {
        return Programs.overReorderingLinks();
    }
}
