// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a trace says of an atomic is what it did, while programs store to the same word. */
@Tag("smoke")
class TracedAtomicTest {

    private static final long STORED = 0x1111111111111111L;

    @AutoClose
    private final InProcessFabric fabric = new InProcessFabric();

    private final RecordingTap tap = new RecordingTap();
    private final Side left = new Side(open("left", null, null), QpCapabilities.USUAL);
    private final Side right = new Side(open("right", tap, storing()), QpCapabilities.USUAL);

    private EmulatedDevice open(String name, @Nullable Tap watching, @Nullable Inspector inspector) {
        return EmulatedDevice.open(fabric, name, fabric.freshGuid(), DeviceProfile.STRICT_IBTA, watching, inspector);
    }

    /** Stores to the word of an atomic right after it. */
    private Inspector storing() {
        QpInspector storing = stub(QpInspector.class, (proxy, method, arguments) -> {
            if (method.getName().equals("stepped")) {
                right.bytes().putLong(0, STORED);
            }
            return null;
        });
        DeviceInspector ofDevice = stub(
                DeviceInspector.class,
                (proxy, method, arguments) -> method.getReturnType() == QpInspector.class ? storing : null);
        return stub(
                Inspector.class, (proxy, method, arguments) -> method.getName().equals("opened") ? ofDevice : null);
    }

    private static <T> T stub(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Rule("WR-36")
    @ParameterizedTest
    @CsvSource({"FETCH_AND_ADD, 12", "COMPARE_AND_SWAP, 7", "COMPARE_AND_MISS, 5"})
    void tracedWordIsTheOneThatTheAtomicLeft(String atomic, long leaves) {
        RcPair.WITHOUT_TIMER.join(left.qp, right.qp);
        right.bytes().putLong(0, 5);

        left.qp.postSend(
                switch (atomic) {
                    case "FETCH_AND_ADD" ->
                        SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 7, left.sge(0, Long.BYTES));
                    case "COMPARE_AND_SWAP" ->
                        SendWorkRequest.compareAndSwap(
                                1, right.address(0), right.rkey(), 5, 7, left.sge(0, Long.BYTES));
                    default ->
                        SendWorkRequest.compareAndSwap(
                                1, right.address(0), right.rkey(), 6, 7, left.sge(0, Long.BYTES));
                });

        assertThat(left.sent()).isSuccess();
        assertThat(left.bytes().getLong(0)).isEqualTo(5);
        assertThat(right.bytes().getLong(0)).isEqualTo(STORED);
        assertThat(tap.events(MemoryTouched.class))
                .filteredOn(touched -> touched.effect() == MemoryEffect.ATOMIC)
                .extracting(
                        touched -> touched.data().order(ByteOrder.nativeOrder()).getLong())
                .containsExactly(leaves);
    }
}
