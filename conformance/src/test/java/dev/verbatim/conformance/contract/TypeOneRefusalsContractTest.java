// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code ibv_bind_mw} refuses at once, and in which order: nothing is posted then, and the key is as it was (B.2). */
@OnOneFabric
class TypeOneRefusalsContractTest {

    private static final int MW_BIND = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    @Parameter
    FabricKind fabric;

    /** A bind that would succeed, until something about it is made wrong. */
    private static final class Attempt {
        final WindowPair pair;
        MemoryWindowType type = MemoryWindowType.TYPE_1;
        boolean withoutRegion;
        boolean otherDomain;
        boolean zeroBasedRegion;
        int access = WindowPair.READ;
        QueuePair qp;

        Attempt(WindowPair pair) {
            this.pair = pair;
            this.qp = pair.owner.qp;
        }

        BindInfo info() {
            int flags = zeroBasedRegion ? MW_BIND | AccessFlags.ZERO_BASED : MW_BIND;
            MemoryRegion region =
                    (otherDomain ? pair.owner.device.allocatePd() : pair.owner.pd).register(Memory.allocate(64), flags);
            return new BindInfo(withoutRegion ? null : region, region.address() + 8, 8, access);
        }
    }

    /** Something wrong with a bind, in the order of the checks. */
    private enum Wrong {
        TYPE("MW-10", Errno.EINVAL, attempt -> attempt.type = MemoryWindowType.TYPE_2),
        RANGE_OF_NOTHING("MW-11", Errno.EINVAL, attempt -> attempt.withoutRegion = true),
        DOMAIN("MW-12", Errno.EPERM, attempt -> attempt.otherDomain = true),
        ZERO_BASED_WINDOW("MW-13", Errno.EINVAL, attempt -> attempt.access |= AccessFlags.ZERO_BASED),
        ZERO_BASED_REGION("MW-14", Errno.EINVAL, attempt -> attempt.zeroBasedRegion = true),
        STATE("MW-17", Errno.EINVAL, attempt -> attempt.qp = attempt.pair.owner.newQueuePair()),
        FULL("WR-11", Errno.ENOMEM, attempt -> attempt.qp = fullQueuePair(attempt.pair));

        private final String rule;
        private final Errno errno;
        private final Consumer<Attempt> change;

        Wrong(String rule, Errno errno, Consumer<Attempt> change) {
            this.rule = rule;
            this.errno = errno;
            this.change = change;
        }

        /** A region that is not there cannot be wrong, and a queue that does not send is not full. */
        boolean excludes(Wrong later) {
            return switch (this) {
                case RANGE_OF_NOTHING -> later == DOMAIN || later == ZERO_BASED_REGION;
                case STATE -> later == FULL;
                default -> false;
            };
        }
    }

    /** With a send queue of one request, which cannot start in SQD. */
    private static QueuePair fullQueuePair(WindowPair pair) {
        QueuePair qp = pair.owner.pd.createQp(
                QpInitAttributes.rc(pair.owner.sendCq, pair.owner.recvCq, new QpCapabilities(1, 1, 1, 1, 0)));
        pair.connect(RcConnection.USUAL, qp);
        qp.modify(new QpAttributes().state(QpState.SQD));
        qp.postSend(pair.write(0, 0, 0).unsignaled());
        return qp;
    }

    static List<List<Wrong>> pairs() {
        List<List<Wrong>> pairs = new ArrayList<>();
        for (Wrong first : Wrong.values()) {
            pairs.add(List.of(first));
            for (Wrong later : Wrong.values()) {
                if (later.compareTo(first) > 0 && !first.excludes(later)) {
                    pairs.add(List.of(first, later));
                }
            }
        }
        return pairs;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Rule({"MW-10", "MW-11", "MW-12", "MW-13", "MW-14", "MW-17", "MW-18", "MW-25", "MW-59"})
    void bindThatIsWrongIsRefusedForWhatIsCheckedFirst(List<Wrong> wrong) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Attempt attempt = new Attempt(pair);
            wrong.forEach(each -> each.change.accept(attempt));
            MemoryWindow window = pair.window(attempt.type);
            int key = window.rkey();
            int posted = posted(pair);

            Wrong first = wrong.get(0);
            BindInfo info = attempt.info();
            assertRefused(first.errno, first.rule, () -> attempt.qp.bindWindow(window, WindowBind.signaled(1, info)));
            assertThat(window.rkey()).as("the key of a refused bind").isEqualTo(key);
            assertThat(window.life()).isEmpty();
            assertThat(posted(pair)).as("posted requests").isEqualTo(posted);
            assertThat(pair.owner.sendCq.poll(1)).isEmpty();
            if (attempt.type == MemoryWindowType.TYPE_1) {
                assertThat(pair.bind(window, pair.bytes(0, 8, WindowPair.READ))).isEqualTo(Rkey.increment(key));
            }
        }
    }

    private static int posted(WindowPair pair) {
        return pair.pair.tap.events(TraceEvent.SendPosted.class).size();
    }

    @Test
    @Rule("MW-11")
    void nothingHasNeitherAddressNorLength() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_1);
            for (BindInfo info : List.of(new BindInfo(null, 0x1000, 0, 0), new BindInfo(null, 0, 1, 0))) {
                assertRefused(
                        Errno.EINVAL,
                        "MW-11",
                        () -> pair.owner.qp.bindWindow(window, WindowBind.signaled(1, info)),
                        info.address() == 0 ? "[0x0,0x1)" : "[0x1000,0x1000)");
            }
            pair.bind(window, BindInfo.NOTHING);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "RTR"})
    @Rule({"MW-17", "QP-20"})
    void queuePairThatDoesNotSendRefusesABind(QpState state) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            QueuePair qp = pair.owner.newQueuePair();
            if (state == QpState.INIT) {
                qp.modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNumber(1)
                        .accessFlags(0));
            } else if (state == QpState.RTR) {
                RcConnection.USUAL.readyToReceive(qp, RcConnection.Endpoint.of(pair.peer.qp, 0));
            }
            assertState(qp, state);
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_1);
            int key = window.rkey();
            assertRefused(
                    Errno.EINVAL,
                    "MW-17",
                    () -> qp.bindWindow(window, WindowBind.signaled(1, pair.bytes(0, 8, 0))),
                    state.toString());
            assertThat(window.rkey()).isEqualTo(key);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryWindowType.class,
            names = {"TYPE_1", "TYPE_2"})
    @Rule("MW-58")
    void closedWindowOrRegionIsRefusedAtOnce(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow closed = pair.window(type);
            closed.close();
            assertRefused(
                    Errno.EINVAL,
                    "MW-58",
                    () -> post(pair, closed, pair.bytes(0, 8, WindowPair.READ)),
                    "window " + closed.handle());

            MemoryRegion gone = pair.owner.pd.register(Memory.allocate(64), MW_BIND);
            BindInfo stale = BindInfo.of(gone, WindowPair.READ);
            gone.close();
            MemoryWindow window = pair.window(type);
            int key = window.rkey();
            assertRefused(Errno.EINVAL, "MW-58", () -> post(pair, window, stale), "deregistered");
            assertThat(window.rkey()).isEqualTo(key);
            assertState(pair.owner.qp, QpState.RTS);
            pair.bind(window, pair.bytes(0, 8, WindowPair.READ));
        }
    }

    private static void post(WindowPair pair, MemoryWindow window, BindInfo info) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            pair.owner.qp.bindWindow(window, WindowBind.signaled(1, info));
        } else {
            pair.owner.qp.postSend(SendWorkRequest.bindWindow(1, window, 7, info));
        }
    }

    @Test
    @Rule("MW-25")
    void windowOfTypeOneIsNotBoundByAWorkRequest() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_1);
            int key = window.rkey();
            SendWorkRequest bind = SendWorkRequest.bindWindow(2, window, 7, pair.bytes(0, 8, WindowPair.READ));
            VerbsException refused = assertRefused(
                    Errno.EINVAL,
                    "MW-25",
                    () -> pair.owner.qp.postSend(
                            List.of(SendWorkRequest.write(1, 0, 0), bind, SendWorkRequest.write(3, 0, 0))),
                    "TYPE_1");
            assertThat(refused.badRequest()).isEqualTo(1);
            assertThat(window.rkey()).isEqualTo(key);
            assertThat(pair.owner.sent()).isSuccess().hasId(1);
            assertThat(pair.owner.sendCq.poll(1)).isEmpty();
        }
    }
}
