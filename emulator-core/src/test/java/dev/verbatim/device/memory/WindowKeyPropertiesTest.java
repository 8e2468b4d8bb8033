// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/**
 * Keys of windows under any sequence of allocations, binds that succeed or fail, invalidations and deallocations, on devices so
 * small that their indexes are used again and again; beside the device a model that only remembers what was seen.
 */
class WindowKeyPropertiesTest {

    private static final int VARIANTS = 256;
    private static final int CLOSED = 0;
    private static final int OPEN = AccessFlags.REMOTE_READ;

    /** A key at its index: who made it, in which order. */
    private record Use(int key, boolean madeByDevice) {}

    /** A window as far as it is seen from outside; the key is 0 while it grants nothing. */
    private static final class Known {

        private final MemoryWindow window;
        private int validKey;

        Known(MemoryWindow window) {
            this.window = window;
        }

        boolean isOfType1() {
            return window.type() == MemoryWindowType.TYPE_1;
        }
    }

    /** One device with one queue pair, and what is known of its windows. */
    private static final class Run implements AutoCloseable {

        private final Verbatim rdma = Verbatim.inProcess();
        private final EmulatedDevice device;
        private final ProtectionDomain pd;
        private final CompletionQueue done;
        private final int maxMw;
        private final MemoryRegion open;
        private final MemoryRegion closed;
        private final List<Known> windows = new ArrayList<>();
        private final Map<Integer, List<Use>> uses = new TreeMap<>();
        private final Set<Integer> deadKeys = new TreeSet<>();
        private QueuePair qp;

        Run(DeviceProfile.Builder profile, int maxMw) {
            DeviceLimits limits = DeviceLimits.DEFAULT.toBuilder().maxMw(maxMw).build();
            rdma.tap(RuleCoverage::observe).profile(profile.limits(limits).build());
            this.maxMw = maxMw;
            device = (EmulatedDevice) rdma.open("small");
            pd = device.allocatePd();
            done = device.createCq(16);
            Memory memory = Memory.allocate(64);
            open = pd.register(memory, AccessFlags.MW_BIND);
            closed = pd.register(memory, CLOSED);
            qp = freshQueuePair();
        }

        private QueuePair freshQueuePair() {
            QueuePair fresh = pd.createQp(QpInitAttributes.rc(done));
            RcConnection.USUAL.withRetries(0, 7, 7, 12).join(fresh, fresh);
            return fresh;
        }

        void step(int number) {
            int kind = number % 8;
            int detail = number / 8;
            if (windows.isEmpty() || kind == 0 && windows.size() < maxMw) {
                allocate(detail % 2 == 0 ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2);
            } else {
                Known known = windows.get(detail % windows.size());
                switch (kind) {
                    case 1 -> deallocate(known);
                    case 2 -> bindInVain(known, detail % VARIANTS);
                    default -> use(known, detail % VARIANTS);
                }
            }
            assertAll();
        }

        private void allocate(MemoryWindowType type) {
            MemoryWindow window = pd.allocateWindow(type);
            List<Use> before = uses.getOrDefault(window.rkey() >>> 8, List.of());
            if (!before.isEmpty()) {
                assertThat(window.rkey())
                        .as("the key after the last one of its index (KEY-P5)")
                        .isNotEqualTo(before.get(before.size() - 1).key());
            }
            used(window.rkey(), true);
            windows.add(new Known(window));
        }

        private void deallocate(Known known) {
            known.window.close();
            revoked(known);
            windows.remove(known);
        }

        private void revoked(Known known) {
            if (known.validKey != 0) {
                deadKeys.add(known.validKey);
                known.validKey = 0;
            }
        }

        /** Binds a free window of type 2, invalidates a bound one, binds one of type 1 again. */
        private void use(Known known, int variant) {
            BindInfo info = BindInfo.of(open, OPEN);
            if (known.isOfType1()) {
                int before = known.window.rkey();
                qp.bindWindow(known.window, WindowBind.signaled(1, info));
                assertThat(known.window.rkey()).isEqualTo(Rkey.increment(before));
                completesWith(WcStatus.SUCCESS);
                used(known.window.rkey(), true);
                revoked(known);
                valid(known, known.window.rkey());
            } else if (known.validKey == 0) {
                SendWorkRequest bind = SendWorkRequest.bindWindow(1, known.window, variant, info);
                qp.postSend(bind);
                completesWith(WcStatus.SUCCESS);
                assertThat(bind.boundKey())
                        .as("index of the window, variant as asked for (KEY-P4)")
                        .isEqualTo(known.window.rkey() & ~0xff | variant);
                used(bind.boundKey(), false);
                valid(known, bind.boundKey());
            } else {
                qp.postSend(SendWorkRequest.localInvalidate(1, known.validKey));
                completesWith(WcStatus.SUCCESS);
                revoked(known);
            }
        }

        private void valid(Known known, int key) {
            known.validKey = key;
            deadKeys.remove(key);
        }

        /** What was valid stays valid, and the next key of type 1 counts on (KEY-08). */
        private void bindInVain(Known known, int variant) {
            BindInfo info = BindInfo.of(closed, OPEN);
            if (known.isOfType1()) {
                qp.bindWindow(known.window, WindowBind.signaled(1, info));
                used(known.window.rkey(), true);
            } else {
                qp.postSend(SendWorkRequest.bindWindow(1, known.window, variant, info));
            }
            completesWith(WcStatus.MW_BIND_ERR);
            qp.close();
            qp = freshQueuePair();
            // The life of the queue pair is over: it still has the windows of type 2, but nobody can invalidate them.
            windows.stream()
                    .filter(each -> !each.isOfType1() && each.validKey != 0)
                    .toList()
                    .forEach(this::deallocate);
        }

        private void completesWith(WcStatus status) {
            assertThat(done.poll(1))
                    .singleElement()
                    .satisfies(each -> assertThat(each.status()).isEqualTo(status));
        }

        /** A key that the device makes was not made by it before, or 255 other variants were used since (KEY-P3). */
        private void used(int key, boolean madeByDevice) {
            List<Use> before = uses.computeIfAbsent(key >>> 8, unused -> new ArrayList<>());
            if (madeByDevice) {
                BitSet since = new BitSet();
                for (int i = before.size() - 1; i >= 0 && !before.get(i).equals(new Use(key, true)); i--) {
                    since.set(before.get(i).key() & 0xff);
                    if (i == 0) {
                        since.set(0, VARIANTS);
                    }
                }
                since.clear(key & 0xff);
                assertThat(before.isEmpty() || since.cardinality() == VARIANTS - 1)
                        .as("key 0x%08x comes after %d others (KEY-P3)", key, since.cardinality())
                        .isTrue();
            }
            before.add(new Use(key, madeByDevice));
        }

        private void assertAll() {
            KeyTable keys = device.memory().keys();
            Set<Integer> live = new TreeSet<>(List.of(open.lkey(), closed.lkey()));
            for (Known known : windows) {
                assertThat(known.window.rkey() >>> 8)
                        .as("index of windows (KEY-03, KEY-P7)")
                        .isGreaterThanOrEqualTo(KeyTable.FIRST_WINDOW_INDEX);
                assertThat(keys.byLocalKey(known.window.rkey())).isNull();
                if (known.validKey != 0) {
                    assertThat(live.add(known.validKey)).as("KEY-P1").isTrue();
                    assertThat(keys.boundWindow(known.validKey)).isSameAs(known.window);
                } else {
                    assertThat(keys.boundWindow(known.window.rkey())).isNull();
                }
            }
            for (int key : deadKeys) {
                assertThat(keys.boundWindow(key))
                        .as("dead key 0x%08x (KEY-P2)", key)
                        .isNull();
            }
        }

        @Override
        public void close() {
            rdma.close();
        }
    }

    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.integers()
                .between(0, 8 * VARIANTS * 6)
                .list()
                .ofMaxSize(1500)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static void run(DeviceProfile.Builder profile, int maxMw, List<Integer> steps) {
        try (Run run = new Run(profile, maxMw)) {
            steps.forEach(run::step);
            asserted();
        }
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    @Rule({"KEY-01", "KEY-03", "KEY-05", "KEY-08", "KEY-P1", "KEY-P2", "KEY-P3", "KEY-P4", "KEY-P5", "KEY-P7", "MW-08"})
    void keysOfWindowsAreUniqueDieForGoodAndComeBackLate(
            @ForAll @IntRange(min = 1, max = 3) int maxMw, @ForAll("steps") List<Integer> steps) {
        run(DeviceProfile.STRICT_IBTA.toBuilder(), maxMw, steps);
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
    @Rule({"KEY-P6", "KEY-05"})
    void randomKeysOfWindowsKeepTheOtherProperties(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int maxMw, @ForAll("steps") List<Integer> steps) {
        run(DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(seed), maxMw, steps);
    }
}
