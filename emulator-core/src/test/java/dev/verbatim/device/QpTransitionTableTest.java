// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Table D.2, written down here once more, against what modify accepts, for every type of queue pair. */
class QpTransitionTableTest {

    /** Attribute bits by position, in the abbreviations of D.2; QKEY, CAP and ALT are in no row that works here. */
    private static final List<String> BITS = List.of(
            ("STATE CUR EN ACC PKI PORT QKEY AV MTU TO RC RNR RQP MRA ALT MRT SQP MDRA PMS CAP DQP").split(" "));

    /** One line of the table: a change, for one type. */
    private record Row(QpType type, QpState from, QpState to, int required, int optional) {

        @Override
        public String toString() {
            return type + " " + from + " to " + to;
        }
    }

    /** As the rules have it: the change, then for types the required and, behind the stroke, the optional attributes. */
    private static final List<Row> TABLE = rows(
            "RESET INIT: UD = PKI PORT QKEY | ; UC RC XRC_SEND XRC_RECV = PKI PORT ACC |",
            "INIT INIT: UD = | PKI PORT QKEY ; UC RC XRC_SEND XRC_RECV = | PKI PORT ACC",
            "INIT RTR: UD = | PKI QKEY ; UC XRC_SEND = AV MTU DQP RQP | ALT ACC PKI ;"
                    + " RC XRC_RECV = AV MTU DQP RQP MDRA MRT | ALT ACC PKI",
            "RTR RTS: UD = SQP | CUR QKEY ; UC = SQP | CUR ALT ACC PMS ;"
                    + " RC = TO RC RNR SQP MRA | CUR ALT ACC MRT PMS ; XRC_SEND = TO RC RNR SQP MRA | CUR ALT ACC PMS ;"
                    + " XRC_RECV = TO SQP | CUR ALT ACC MRT PMS",
            "RTS RTS: UD = | CUR QKEY ; UC XRC_SEND = | CUR ACC ALT PMS ; RC XRC_RECV = | CUR ACC ALT PMS MRT",
            "RTS SQD: UD UC RC XRC_SEND XRC_RECV = | EN",
            "SQD SQD: UD = | PKI QKEY ; UC = | AV ALT ACC PKI PMS ;"
                    + " RC = | PORT AV TO RC RNR MRA MDRA ALT ACC PKI MRT PMS ;"
                    + " XRC_SEND = | PORT AV TO RC RNR MRA ALT ACC PKI PMS ;"
                    + " XRC_RECV = | PORT AV TO MDRA ALT ACC PKI MRT PMS",
            "SQD RTS: UD = | CUR QKEY ; UC XRC_SEND = | CUR ALT ACC PMS ; RC XRC_RECV = | CUR ALT ACC MRT PMS",
            "SQE RTS: UD = | CUR QKEY ; UC = | CUR ACC");

    private static List<Row> rows(String... lines) {
        List<Row> rows = new ArrayList<>();
        for (String line : lines) {
            List<String> parts = List.of(line.split(":"));
            List<String> change = List.of(parts.get(0).split(" "));
            for (String group : parts.get(1).split(";")) {
                List<String> sides = List.of(group.split("="));
                List<String> masks = List.of((sides.get(1) + " ").split("\\|"));
                for (String type : sides.get(0).trim().split(" ")) {
                    rows.add(new Row(
                            QpType.valueOf(type),
                            QpState.valueOf(change.get(0)),
                            QpState.valueOf(change.get(1)),
                            mask(masks.get(0).trim()),
                            mask(masks.get(1).trim())));
                }
            }
        }
        return List.copyOf(rows);
    }

    /** Legal by the table, but no device here can migrate paths (AE-10), and QS-10 asks for a loaded path. */
    private static final int MIGRATION = mask("ALT PMS");

    private static final int STATE = mask("STATE");

    private static final Set<QpType> TYPES =
            EnumSet.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.XRC_RECV);

    @AutoClose
    private Dialogue dialogue;

    private @Nullable XrcDomain xrcDomain;

    @BeforeEach
    void open() {
        dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);
    }

    static Stream<Row> table() {
        return TABLE.stream().filter(row -> TYPES.contains(row.type));
    }

    /** Every type in every state that it can be in. */
    static Stream<Arguments> starts() {
        return TYPES.stream()
                .flatMap(type -> Stream.of(QpState.values())
                        .filter(state -> state != QpState.SQE || hasSqe(type))
                        .map(state -> Arguments.of(type, state)));
    }

    private static boolean hasSqe(QpType type) {
        return type == QpType.UC || type == QpType.UD;
    }

    @Test
    void tableHasAsManyLinesAsTheRules() {
        assertThat(TABLE).hasSize(8 * 5 + 2);
    }

    @ParameterizedTest
    @MethodSource("starts")
    @Rule({"QS-01", "QS-04", "QS-06", "QS-07", "QS-08"})
    void everyStateGoesWhereTheTableSaysAndNowhereElse(QpType type, QpState from) {
        for (QpState to : QpState.values()) {
            Row row = row(type, from, to);
            modifyAsTheTableSays(type, from, to, STATE | (row == null ? 0 : row.required));
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    @Rule({"QS-02", "QS-03", "QS-04", "QS-10", "T-13"})
    void everySingleBitChangeOfALegalMaskDoesWhatTheTableSays(Row row) {
        for (int legal : new int[] {row.required, row.required | row.optional & ~MIGRATION}) {
            modifyAsTheTableSays(row.type, row.from, row.to, STATE | legal);
            for (int bit = 0; bit < BITS.size(); bit++) {
                modifyAsTheTableSays(row.type, row.from, row.to, (STATE | legal) ^ 1 << bit);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("starts")
    @Rule("QS-03")
    void goingToResetOrErrorTakesNoOtherAttribute(QpType type, QpState from) {
        for (QpState to : List.of(QpState.RESET, QpState.ERR)) {
            for (int bit = 1; bit < BITS.size(); bit++) {
                modifyAsTheTableSays(type, from, to, STATE | 1 << bit);
            }
        }
    }

    /** Brings a new queue pair to a state, asks for a modify, and compares with what this test's table says of it. */
    private void modifyAsTheTableSays(QpType type, QpState from, QpState to, int mask) {
        QueuePair qp = create(type);
        bring(qp, from);
        QpAttributes before = qp.query();
        QpAttributes values = otherValues(from).state(to);
        Set<String> broken = brokenRules(type, from, (mask & STATE) == 0 ? from : to, mask);
        VerbsException refused = Assertions.catchThrowableOfType(VerbsException.class, () -> qp.modify(values, mask));
        String what = type + " " + from + " to " + to + " with " + names(mask);
        if (broken.isEmpty()) {
            assertThat(refused).as(what).isNull();
            assertState(qp, (mask & STATE) == 0 ? from : to);
            assertChanged(type, what, before, values, mask & ~mask("STATE CUR"), qp.query());
        } else {
            assertThat(refused).as(what).isNotNull();
            assertThat(refused.errno()).as(what).isEqualTo(Errno.EINVAL);
            assertThat(broken).as(what).contains(refused.refusal().rule());
            assertThat(describe(qp.query())).as(what).isEqualTo(describe(before));
            RuleCoverage.assertOutcome(refused.refusal());
        }
        qp.close();
    }

    /** Nothing that the mask does not name may change; what it names has its new value. */
    private static void assertChanged(
            QpType type, String what, QpAttributes before, QpAttributes values, int mask, QpAttributes after) {
        if (after.state() == QpState.RESET) {
            assertThat(after)
                    .as(what)
                    .usingRecursiveComparison()
                    .isEqualTo(new QpAttributes().state(QpState.RESET).currentState(QpState.RESET));
            return;
        }
        QpAttributes expected = new QpAttributes(before);
        expected.assign(values, mask);
        expected.state(after.state()).currentState(after.state());
        if (type == QpType.UD) {
            // Datagrams go to all, so theirs is the port's.
            expected.pathMtu(after.pathMtu());
        }
        if (after.state() == QpState.SQD && before.state() == QpState.RTS) {
            expected.notifyDrained((mask & mask("EN")) != 0);
        }
        assertThat(after)
                .as(what)
                .usingRecursiveComparison()
                .ignoringFields("mask", "reason")
                .isEqualTo(expected);
    }

    private static List<Object> describe(QpAttributes values) {
        return Arrays.asList(
                values.state(),
                values.currentState(),
                values.draining(),
                values.notifyDrained(),
                values.accessFlags(),
                values.pkeyIndex(),
                values.portNumber(),
                values.queueKey(),
                values.addressVector(),
                values.pathMtu(),
                values.timeout(),
                values.retryCount(),
                values.rnrRetry(),
                values.rqPsn(),
                values.maxRdAtomic(),
                values.minRnrTimer(),
                values.sqPsn(),
                values.maxDestRdAtomic(),
                values.destinationQp());
    }

    private static Set<String> brokenRules(QpType type, QpState from, QpState to, int mask) {
        Set<String> broken = new LinkedHashSet<>();
        boolean always = to == QpState.RESET || to == QpState.ERR;
        Row row = always ? new Row(type, from, to, 0, 0) : row(type, from, to);
        if (row == null) {
            boolean named = List.of("RTR SQD", "INIT RTS", "RESET RTR", "RTS RTR", "RTS INIT")
                    .contains(from + " " + to);
            broken.add(to == QpState.SQE || from == QpState.SQE ? "QS-06" : named ? "QS-08" : "QS-01");
            return broken;
        }
        if ((row.required & ~mask) != 0) {
            broken.add("QS-02");
        }
        if ((mask & ~(row.required | row.optional | STATE)) != 0) {
            broken.add("QS-03");
        }
        if ((mask & MIGRATION) != 0) {
            broken.add("QS-10");
        }
        return broken;
    }

    private static @Nullable Row row(QpType type, QpState from, QpState to) {
        return TABLE.stream()
                .filter(row -> row.type == type && row.from == from && row.to == to)
                .findFirst()
                .orElse(null);
    }

    private QueuePair create(QpType type) {
        Side side = dialogue.side;
        return switch (type) {
            case UC -> side.pd.createQp(QpInitAttributes.uc(side.sendCq, side.recvCq, QpCapabilities.USUAL));
            case UD -> side.pd.createQp(QpInitAttributes.ud(side.sendCq, side.recvCq, QpCapabilities.USUAL));
            case XRC_SEND -> side.pd.createQp(QpInitAttributes.xrcSend(side.sendCq, QpCapabilities.USUAL));
            case XRC_RECV -> xrcDomain().createQp(QpInitAttributes.xrcReceive());
            default -> side.newQueuePair();
        };
    }

    private XrcDomain xrcDomain() {
        XrcDomain domain = xrcDomain;
        if (domain == null) {
            domain = dialogue.side.device.openXrcDomain();
            xrcDomain = domain;
        }
        return domain;
    }

    private void bring(QueuePair qp, QpState to) {
        List<QpState> way = to == QpState.ERR
                ? List.of(QpState.ERR)
                : List.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD).subList(0, Math.min(3, to.number()));
        for (QpState next : way) {
            goTo(qp, next);
        }
        if (to == QpState.SQD) {
            goTo(qp, QpState.SQD);
        } else if (to == QpState.SQE) {
            failToSend(qp);
        }
        assertThat(qp.state()).isEqualTo(to);
    }

    private void goTo(QueuePair qp, QpState next) {
        Row row = row(qp.initAttributes().type(), qp.state(), next);
        qp.modify(usualValues().state(next), STATE | (row == null ? 0 : row.required));
    }

    /** No region has the key. */
    private void failToSend(QueuePair qp) {
        AddressHandle handle = dialogue.side.pd.createAddressHandle(AddressVector.to(dialogue.side.device.gid()));
        qp.postSend(SendWorkRequest.send(1, new Sge(0x1000, 8, 0x7fff_ff00)).to(handle, 1, 1));
        dialogue.fabric.take(dialogue.side.device.gid());
        handle.close();
        assertThat(dialogue.side.sendCq.poll(1)).hasSize(1);
    }

    private QpAttributes usualValues() {
        return new QpAttributes()
                .accessFlags(1)
                .queueKey(9)
                .pkeyIndex(0)
                .portNumber(1)
                .addressVector(AddressVector.to(dialogue.side.device.gid()))
                .pathMtu(PathMtu.MTU_512)
                .timeout(0)
                .retryCount(1)
                .rnrRetry(2)
                .rqPsn(3)
                .maxRdAtomic(4)
                .minRnrTimer(5)
                .sqPsn(6)
                .maxDestRdAtomic(7)
                .destinationQp(8);
    }

    /** Legal values, other than the usual ones where there are others. */
    private QpAttributes otherValues(QpState current) {
        return new QpAttributes()
                .currentState(current)
                .notifyDrained(true)
                .accessFlags(2)
                .pkeyIndex(0)
                .portNumber(1)
                .queueKey(17)
                .addressVector(AddressVector.to(Gid.ofGuid(77)))
                .pathMtu(PathMtu.MTU_2048)
                .timeout(18)
                .retryCount(6)
                .rnrRetry(5)
                .rqPsn(19)
                .maxRdAtomic(20)
                .minRnrTimer(21)
                .sqPsn(22)
                .maxDestRdAtomic(23)
                .destinationQp(24);
    }

    private static int mask(String names) {
        int mask = 0;
        for (String name : names.isEmpty() ? new String[0] : names.split(" ")) {
            mask |= 1 << BITS.indexOf(name);
        }
        return mask;
    }

    private static List<String> names(int mask) {
        List<String> names = new ArrayList<>();
        for (int bit = 0; bit < BITS.size(); bit++) {
            if ((mask & 1 << bit) != 0) {
                names.add(BITS.get(bit));
            }
        }
        return names;
    }

    @Test
    @Rule({"QS-02", "QS-03", "TV-15"})
    void masksOfTheVectorAreJudgedAsItSays() {
        QueuePair qp = dialogue.side.newQueuePair();
        QpAttributes values = usualValues().queueKey(1);
        assertRefused(Errno.EINVAL, "QS-02", () -> qp.modify(values.state(QpState.INIT), mask("STATE PKI PORT")));
        assertRefused(
                Errno.EINVAL, "QS-03", () -> qp.modify(values.state(QpState.INIT), mask("STATE PKI PORT ACC QKEY")));
        qp.modify(values.state(QpState.INIT), mask("STATE PKI PORT ACC"));
        assertState(qp, QpState.INIT);
        assertRefused(
                Errno.EINVAL,
                "QS-02",
                () -> qp.modify(values.state(QpState.RTR), mask("STATE AV MTU DQP RQP MDRA")),
                "MIN_RNR_TIMER");
        qp.modify(values.state(QpState.RTR), mask("STATE AV MTU DQP RQP MDRA MRT"));
        assertRefused(
                Errno.EINVAL,
                "QS-02",
                () -> qp.modify(values.state(QpState.RTS), mask("STATE TO RC RNR SQP")),
                "MAX_QP_RD_ATOMIC");
        assertState(qp, QpState.RTR);
    }

    @ParameterizedTest
    @EnumSource(names = {"RTR", "RTS", "SQD"})
    @Rule("QS-05")
    void currentStateThatIsNotTheActualOneIsRefused(QpState actual) {
        for (QpState asserted : QpState.values()) {
            QueuePair qp = dialogue.side.newQueuePair();
            bring(qp, actual);
            QpAttributes values = usualValues().state(QpState.RTS).currentState(asserted);
            Row row = row(QpType.RC, actual, QpState.RTS);
            int mask = mask("STATE CUR") | row.required;
            if (asserted == actual) {
                qp.modify(values, mask);
                assertState(qp, QpState.RTS);
            } else {
                assertRefused(
                        Errno.EINVAL, "QS-05", () -> qp.modify(values, mask), "cur_qp_state=" + asserted, "" + actual);
                assertState(qp, actual);
            }
        }
    }
}
