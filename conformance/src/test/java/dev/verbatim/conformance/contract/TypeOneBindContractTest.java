// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.trace.TraceEvent.WindowChanged;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a window of type 1 is bound, bound again and unbound (B.2). */
@OnEveryFabric
class TypeOneBindContractTest {

    private static final int VARIANTS = 256;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private WindowPair pair;

    private MemoryWindow window;

    @BeforeEach
    void connect() {
        pair = WindowPair.open(fabric);
        window = pair.window(MemoryWindowType.TYPE_1);
    }

    @Test
    @Rule({"MW-20", "MW-26", "MW-61", "TR-5"})
    void newKeyIsKnownWhenTheBindIsPostedAndServesWhenItHasExecuted() {
        int old = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
        pair.owner.qp.modify(new QpAttributes().state(QpState.SQD));
        pair.owner.qp.bindWindow(window, WindowBind.signaled(7, pair.bytes(64, 64, WindowPair.ALL)));
        int key = window.rkey();
        assertThat(key).isEqualTo(Rkey.increment(old));
        assertThat(window.currentRkey()).isEqualTo(old);

        Connection other = pair.connect();
        pair.assertWrites(other, old, 0, 64);
        pair.assertDenied(other, pair.write(key, pair.address(64), 8), "MW-20", "window " + window.handle());

        pair.owner.qp.modify(new QpAttributes().state(QpState.RTS));
        assertThat(pair.owner.sent()).isSuccess().hasId(7).hasOpcode(WcOpcode.BIND_MW);
        assertThat(window.currentRkey()).isEqualTo(key);
        pair.assertWrites(pair.first, key, 64, 64);
        pair.assertDenied(pair.first, pair.write(old, pair.address(0), 8), "MW-23", "1st binding", "rebind");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Rule({"MW-21", "MW-26", "KEY-08", "WC-33", "ORD-10"})
    void bindThatFailsLateLeavesTheOldBindingAndTheKeyOneFurther(int failures) {
        int good = pair.bind(window, pair.bytes(0, 64, WindowPair.READ));
        int key = good;
        for (int i = 0; i < failures; i++) {
            Connection binder = pair.connect();
            binder.owner().postSend(SendWorkRequest.write(1, 0, 0));
            binder.owner().bindWindow(window, new WindowBind(2, 0, pair.bytes(1, WindowPair.BYTES, WindowPair.READ)));
            binder.owner().postSend(SendWorkRequest.write(3, 0, 0));
            assertThat(pair.owner.sent()).isSuccess().hasId(1);
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(2)
                    .isExplainedBy("MW-52");
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
            assertState(binder.owner(), QpState.ERR);
            assertState(binder.peer(), QpState.RTS);

            key = Rkey.increment(key);
            assertThat(window.rkey()).isEqualTo(key);
            assertThat(window.currentRkey()).isEqualTo(good);
            pair.assertReads(pair.first, good, 0, 64);
            Connection guess = pair.connect();
            pair.assertDenied(guess, pair.read(key, pair.address(0), 8), "MW-20");
        }
        int next = pair.bind(window, pair.bytes(64, 64, WindowPair.READ));
        assertThat(next).isEqualTo(Rkey.increment(key));
        pair.assertReads(pair.first, next, 64, 64);
        pair.assertDenied(pair.first, pair.read(good, pair.address(0), 8), "MW-23");
    }

    @Test
    @Rule({"MW-22", "WR-16"})
    void bindHeedsSignaledAndIgnoresSolicitedAndInline() {
        BindInfo info = pair.bytes(0, 64, WindowPair.READ);
        pair.owner.qp.bindWindow(window, new WindowBind(1, 0, info));
        pair.owner.qp.bindWindow(window, new WindowBind(2, SendFlags.SOLICITED | SendFlags.INLINE, info));
        pair.owner.qp.bindWindow(
                window, new WindowBind(3, SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE, info));
        assertThat(pair.owner.sent()).isSuccess().hasId(3).hasOpcode(WcOpcode.BIND_MW);
        assertThat(pair.owner.sendCq.poll(1)).isEmpty();
        assertThat(window.life()).hasSize(3);
        pair.assertReads(pair.first, window.rkey(), 0, 64);
    }

    @Test
    @Rule({"MW-22", "ORD-19"})
    void fencedBindWaitsForTheReadBeforeIt() {
        pair.owner.qp.postSend(
                SendWorkRequest.read(1, pair.peer.address(0), pair.peer.rkey(), pair.owner.sge(0, 5000)));
        pair.owner.qp.bindWindow(
                window, new WindowBind(2, SendFlags.SIGNALED | SendFlags.FENCE, pair.bytes(0, 64, WindowPair.READ)));
        assertThat(pair.owner.sent()).isSuccess().hasId(1);
        assertThat(pair.owner.sent()).isSuccess().hasId(2);
        List<TraceEvent> events = pair.pair.tap.events();
        int completed = first(events, event -> event instanceof TraceEvent.Completed c && c.workRequestId() == 1);
        int bound = first(events, event -> event instanceof WindowChanged c && c.change() == WindowChange.BOUND);
        assertThat(bound).as("the bind").isGreaterThan(completed);
        asserted();
    }

    private static int first(List<TraceEvent> events, Predicate<TraceEvent> wanted) {
        for (int i = 0; i < events.size(); i++) {
            if (wanted.test(events.get(i))) {
                return i;
            }
        }
        throw new AssertionError("no such event");
    }

    @Test
    @Rule({"MW-23", "MW-64", "MW-106", "KEY-P2"})
    void windowIsBoundAgainOverAnotherQueuePairToOtherBytesWithOtherRights() {
        int old = pair.bind(window, pair.bytes(0, 64, WindowPair.WRITE));
        pair.assertWrites(pair.first, old, 0, 64);
        Connection second = pair.connect();
        int key = pair.bind(second.owner(), window, pair.bytes(1001, 99, WindowPair.READ));
        pair.assertReads(pair.first, key, 1001, 99);
        pair.assertReads(second, key, 1001, 99);
        pair.assertDenied(second, pair.write(old, pair.address(0), 8), "MW-23", "revoked by a rebind");
        pair.assertDenied(pair.first, pair.write(key, pair.address(1001), 8), "MW-106", "REMOTE_READ");
    }

    @Test
    @Rule("MW-23")
    void oldKeyEndsWhereTheNewOneBegins() {
        int old = pair.bind(window, pair.bytes(0, 64, WindowPair.READ));
        pair.pair.tap.clear();
        int key = pair.bind(window, pair.bytes(64, 64, WindowPair.READ));
        List<TraceEvent> changes = new ArrayList<>();
        List<TraceEvent> between = new ArrayList<>();
        for (TraceEvent event : pair.pair.tap.events()) {
            if (event instanceof KeyChanged || event instanceof WindowChanged) {
                changes.add(event);
            } else if (!changes.isEmpty() && changes.size() < 3 && !(event instanceof TraceEvent.Decided)) {
                between.add(event);
            }
        }
        assertThat(between)
                .as("between the end of the old key and the new binding")
                .isEmpty();
        assertThat(changes).hasSize(3);
        assertThat(((KeyChanged) changes.get(0)).key()).isEqualTo(old);
        assertThat(((KeyChanged) changes.get(0)).valid()).isFalse();
        assertThat(((KeyChanged) changes.get(1)).key()).isEqualTo(key);
        assertThat(((KeyChanged) changes.get(1)).valid()).isTrue();
        assertThat(((WindowChanged) changes.get(2)).change()).isEqualTo(WindowChange.BOUND);
        asserted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"MW-24", "MR-51", "MW-105"})
    void bindOfNoBytesUnbinds(boolean namesRegion) {
        MemoryRegion region =
                pair.owner.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        int bound = pair.bind(window, BindInfo.of(region, WindowPair.ALL));
        assertRefused(Errno.EBUSY, "MR-50", region::close);
        int unbound = pair.bind(
                window, namesRegion ? new BindInfo(region, region.address(), 0, WindowPair.ALL) : BindInfo.NOTHING);
        assertThat(unbound).isEqualTo(Rkey.increment(bound));
        region.close();

        assertThat(pair.ask(pair.first, pair.write(bound, 0, 0))).isSuccess();
        assertThat(pair.ask(pair.first, pair.write(unbound, 0, 0))).isSuccess();
        Connection second = pair.connect();
        pair.assertDenied(pair.first, pair.read(bound, region.address(), 8), "MW-24", "window " + window.handle());
        pair.assertDenied(second, pair.read(unbound, region.address(), 8), "MW-105", "window " + window.handle());
    }

    /** Each key is asked for right after it was replaced, and again when all the others were used. */
    @Test
    @Rule({"T-02", "MW-20", "MW-23", "KEY-P2", "KEY-P3"})
    void after256BindsTheKeyIsTheFirstAgainAndAllOthersAreDead() {
        int first = pair.bind(window, pair.bytes(0, 64, WindowPair.READ));
        int key = first;
        List<Integer> stale = new ArrayList<>();
        for (int i = 1; i < VARIANTS; i++) {
            int next = pair.bind(window, pair.bytes(8 * i, 64, WindowPair.READ));
            assertThat(next).isEqualTo(Rkey.increment(key)).isNotEqualTo(first);
            stale.add(key);
            key = next;
        }
        probe(stale);
        stale.add(key);
        stale.remove((Integer) first);
        int again = pair.bind(window, pair.bytes(4096, 64, WindowPair.READ));
        assertThat(again).isEqualTo(first);
        probe(stale);
        pair.assertReads(pair.first, again, 4096, 64);
        assertThat(window.life()).hasSize(VARIANTS + 1);
    }

    private void probe(List<Integer> stale) {
        for (int key : stale) {
            Connection guess = pair.connect();
            assertThat(pair.ask(guess, pair.read(key, pair.address(0), 8))).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertEvent(pair.owner.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, guess.owner());
            guess.owner().close();
            guess.peer().close();
        }
        pair.assertUntouched();
    }

    @Test
    @Rule({"MW-60", "MW-21"})
    void bindOnAQueuePairInErrIsFlushedAndHasAdvancedTheKey() {
        int good = pair.bind(window, pair.bytes(0, 64, WindowPair.READ));
        Connection second = pair.connect();
        second.owner().modify(new QpAttributes().state(QpState.ERR));
        second.owner().bindWindow(window, new WindowBind(5, 0, pair.bytes(64, 64, WindowPair.READ)));
        assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(5);
        assertThat(window.rkey()).isEqualTo(Rkey.increment(good));
        assertThat(window.currentRkey()).isEqualTo(good);
        pair.assertReads(pair.first, good, 0, 64);
    }

    @Test
    @Rule("MW-15")
    void lengthOfMoreThanTwoGibibytesIsAcceptedAndFailsAsAnyOtherRangeThatIsTooLong() {
        pair.owner.qp.bindWindow(window, WindowBind.signaled(1, pair.bytes(0, 3L << 30, WindowPair.READ)));
        assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(1).isExplainedBy("MW-52");
    }
}
