// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.testing.Constants;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a refusal says is what was so when the device refused, whenever it is read. */
class RefusalTextTest {

    @Test
    @Rule("N-09")
    void valuesThatChangeAreSaidAsTheyWere() {
        AtomicInteger count = new AtomicInteger(1);
        List<String> names = new ArrayList<>(List.of("one"));
        Object[] values = {count, names, "two"};
        Refusal refusal = Refusal.of(dev.verbatim.verbs.Rule.N_05, "%s %s %s", values);
        count.set(7);
        names.add("more");
        values[2] = "seven";
        assertThat(refusal.sentence()).isEqualTo("1 [one] two");
        assertThat(Refusal.of(dev.verbatim.verbs.Rule.N_05, "%s", refusal).sentence())
                .isEqualTo("1 [one] two [N-05]");
        Constants.assertOnly(refusal);
    }

    /** Each is read first when everything is closed, and compared with what the same refusal says when it is read at once. */
    @Test
    @Rule({"N-09", "PD-04", "MR-50", "MW-58"})
    void refusalsSayTheSameWhenEverythingIsClosed() {
        Map<String, Refusal> refusals = new LinkedHashMap<>();
        RcPair pair = RcPair.inProcess();
        collect(pair, refusals);
        pair.close();
        RcPair another = RcPair.inProcess();
        Map<String, String> atOnce = new LinkedHashMap<>();
        collect(another, new LinkedHashMap<>() {
            @Override
            public Refusal put(String name, Refusal refusal) {
                atOnce.put(name, refusal.toString());
                return super.put(name, refusal);
            }
        });
        another.close();
        assertThat(refusals).hasSizeGreaterThan(6);
        refusals.values().forEach(Constants::assertOnly);
        refusals.forEach((name, refusal) -> assertThat(withoutAddresses(refusal.toString()))
                .as(name)
                .isEqualTo(withoutAddresses(atOnce.get(name))));
    }

    /** The two pairs have memory at different places. */
    private static String withoutAddresses(String text) {
        return text.replaceAll("0x7[ef][0-9a-f]+", "0x");
    }

    private static void collect(RcPair pair, Map<String, Refusal> refusals) {
        CompletionQueue cq = pair.left.device.createCq(4);
        refusals.put("cq in use", refused(pair.left.sendCq::close));
        refusals.put("state", refused(() -> pair.left.qp.modify(new QpAttributes().state(QpState.INIT))));
        refusals.put("device in use", refused(pair.left.device::close));
        refusals.put("domain in use", refused(pair.left.pd::close));
        MemoryWindow window = pair.left.pd.allocateWindow(MemoryWindowType.TYPE_2);
        MemoryRegion other = pair.left.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE);
        pair.left.qp.postSend(SendWorkRequest.bind(
                1, 2, window, window.rkey() + 1, new BindInfo(other, other.address(), 8, AccessFlags.REMOTE_READ)));
        WorkCompletion bound = pair.left.sent();
        refusals.put("bind", bound.refusal());
        refusals.put("state after", refused(() -> pair.left.qp.modify(new QpAttributes().state(QpState.RTS))));
        cq.close();
        refusals.put("cq gone", refused(() -> cq.poll(1)));
        other.close();
        refusals.put("region gone", refused(other::close));
        window.close();
        refusals.put("window gone", refused(window::close));
    }

    private static Refusal refused(ThrowingCallable verb) {
        return catchThrowableOfType(VerbsException.class, verb).refusal();
    }
}
