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
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The RC rows of table D.2, written down here once more, against what modify accepts. */
class QpTransitionTableTest {

    /** Attribute bits by position, in the abbreviations of D.2; QKEY, CAP and ALT are in no row that works here. */
    private static final List<String> BITS = List.of(
            ("STATE CUR EN ACC PKI PORT QKEY AV MTU TO RC RNR RQP MRA ALT MRT SQP MDRA PMS CAP DQP").split(" "));

    private record Row(QpState from, QpState to, int required, int optional) {

        static Row of(String from, String to, String required, String optional) {
            return new Row(QpState.valueOf(from), QpState.valueOf(to), mask(required), mask(optional));
        }

        @Override
        public String toString() {
            return from + " to " + to;
        }
    }

    private static final List<Row> TABLE = List.of(
            Row.of("RESET", "INIT", "PKI PORT ACC", ""),
            Row.of("INIT", "INIT", "", "PKI PORT ACC"),
            Row.of("INIT", "RTR", "AV MTU DQP RQP MDRA MRT", "ALT ACC PKI"),
            Row.of("RTR", "RTS", "TO RC RNR SQP MRA", "CUR ALT ACC MRT PMS"),
            Row.of("RTS", "RTS", "", "CUR ACC ALT PMS MRT"),
            Row.of("RTS", "SQD", "", "EN"),
            Row.of("SQD", "SQD", "", "PORT AV TO RC RNR MRA MDRA ALT ACC PKI MRT PMS"),
            Row.of("SQD", "RTS", "", "CUR ALT ACC MRT PMS"));

    /** Legal by the table, but no device here can migrate paths (AE-10), and QS-10 asks for a loaded path. */
    private static final int MIGRATION = mask("ALT PMS");

    private static final int STATE = mask("STATE");

    private Dialogue dialogue;

    @BeforeEach
    void open() {
        dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);
    }

    @AfterEach
    void close() {
        dialogue.close();
    }

    static Stream<Row> table() {
        return TABLE.stream();
    }

    @ParameterizedTest
    @EnumSource(names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    @Rule({"QS-01", "QS-04", "QS-06", "QS-07", "QS-08"})
    void everyStateGoesWhereTheTableSaysAndNowhereElse(QpState from) {
        for (QpState to : QpState.values()) {
            Row row = row(from, to);
            modifyAsTheTableSays(from, to, STATE | (row == null ? 0 : row.required));
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    @Rule({"QS-02", "QS-03", "QS-04", "T-13"})
    void everySingleBitChangeOfALegalMaskDoesWhatTheTableSays(Row row) {
        for (int legal : new int[] {row.required, row.required | row.optional & ~MIGRATION}) {
            modifyAsTheTableSays(row.from, row.to, STATE | legal);
            for (int bit = 0; bit < BITS.size(); bit++) {
                modifyAsTheTableSays(row.from, row.to, (STATE | legal) ^ 1 << bit);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    @Rule("QS-03")
    void goingToResetOrErrorTakesNoOtherAttribute(QpState from) {
        for (QpState to : List.of(QpState.RESET, QpState.ERR)) {
            for (int bit = 1; bit < BITS.size(); bit++) {
                modifyAsTheTableSays(from, to, STATE | 1 << bit);
            }
        }
    }

    /** Brings a new queue dialogue to a state, asks for a modify, and compares with what this test's table says of it. */
    private void modifyAsTheTableSays(QpState from, QpState to, int mask) {
        QueuePair qp = dialogue.side.newQueuePair();
        bring(qp, from);
        QpAttributes before = qp.query();
        QpAttributes values = otherValues(from).state(to);
        Set<String> broken = brokenRules(from, (mask & STATE) == 0 ? from : to, mask);
        VerbsException refused = Assertions.catchThrowableOfType(VerbsException.class, () -> qp.modify(values, mask));
        String what = from + " to " + to + " with " + names(mask);
        if (broken.isEmpty()) {
            assertThat(refused).as(what).isNull();
            assertState(qp, (mask & STATE) == 0 ? from : to);
            assertChanged(what, before, values, mask & ~mask("STATE CUR"), qp.query());
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
            String what, QpAttributes before, QpAttributes values, int mask, QpAttributes after) {
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
        if (after.state() == QpState.SQD && before.state() == QpState.RTS) {
            expected.notifyDrained((mask & mask("EN")) != 0);
        }
        assertThat(after)
                .as(what)
                .usingRecursiveComparison()
                .ignoringFields("mask")
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

    private static Set<String> brokenRules(QpState from, QpState to, int mask) {
        Set<String> broken = new LinkedHashSet<>();
        boolean always = to == QpState.RESET || to == QpState.ERR;
        Row row = always ? new Row(from, to, 0, 0) : row(from, to);
        if (row == null) {
            boolean named = List.of("RTR SQD", "INIT RTS", "RESET RTR", "RTS RTR", "RTS INIT")
                    .contains(from + " " + to);
            broken.add(to == QpState.SQE ? "QS-06" : named ? "QS-08" : "QS-01");
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

    private static @Nullable Row row(QpState from, QpState to) {
        return TABLE.stream()
                .filter(row -> row.from == from && row.to == to)
                .findFirst()
                .orElse(null);
    }

    private void bring(QueuePair qp, QpState to) {
        List<QpState> way = to == QpState.ERR
                ? List.of(QpState.ERR)
                : List.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD).subList(0, to.number());
        for (QpState next : way) {
            Row row = row(qp.state(), next);
            QpAttributes values = usualValues().state(next);
            qp.modify(values, STATE | (row == null ? 0 : row.required));
        }
        assertThat(qp.state()).isEqualTo(to);
    }

    private QpAttributes usualValues() {
        return new QpAttributes()
                .accessFlags(1)
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
            Row row = row(actual, QpState.RTS);
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
