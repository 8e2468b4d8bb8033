// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.micro;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to use, bind and invalidate one window of many, in-process, from post to polled completion. Keys are in
 * random order on the device, and windows are used in another.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WindowBenchmark {

    private static final long SEED = 2026;
    private static final int WRITE_BYTES = 8;
    private static final int BYTES = 1 << 16;

    /** How many windows are bound on the device. */
    @Param({"1", "10", "1000", "100000", "1000000"})
    int windows;

    private final WorkCompletion[] completion = {new WorkCompletion()};
    private Verbatim rdma;
    private RcPeer user;
    private RcPeer owner;
    private MemoryRegion region;
    private MemoryWindow[] inOrderOfUse;
    private int[] keys;
    private long[] addresses;
    private BindInfo[] infos;
    private Sge source;
    private int next;

    /** Binds all windows. */
    @Setup(Level.Trial)
    public void bindAll() {
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(SEED).build();
        rdma = Verbatim.inProcess().profile(profile);
        RcPair pair = RcPair.connect(rdma.open("user"), rdma.open("owner"));
        user = pair.left();
        owner = pair.right();
        region = owner.pd().register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        source = user.sge(0, WRITE_BYTES);
        inOrderOfUse = new MemoryWindow[windows];
        keys = new int[windows];
        addresses = new long[windows];
        infos = new BindInfo[windows];
        for (int i = 0; i < windows; i++) {
            inOrderOfUse[i] = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
        }
        shuffle();
        for (int i = 0; i < windows; i++) {
            addresses[i] = region.address() + (long) i * WRITE_BYTES % BYTES;
            infos[i] = new BindInfo(region, addresses[i], WRITE_BYTES, AccessFlags.REMOTE_WRITE);
            bind(i, 0);
        }
    }

    private void shuffle() {
        Random random = new Random(SEED);
        for (int i = windows - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            MemoryWindow window = inOrderOfUse[i];
            inOrderOfUse[i] = inOrderOfUse[other];
            inOrderOfUse[other] = window;
        }
    }

    /** Closes the devices. */
    @TearDown(Level.Trial)
    public void close() {
        rdma.close();
    }

    private void bind(int window, int variant) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(window, inOrderOfUse[window], variant, infos[window]);
        keys[window] = bind.boundKey();
        owner.qp().postSend(bind);
        await(owner);
    }

    private void await(RcPeer peer) {
        while (peer.sent().poll(completion) == 0) {
            Thread.onSpinWait();
        }
        if (!completion[0].isSuccess()) {
            throw new IllegalStateException(completion[0].toString());
        }
    }

    private int nextWindow() {
        next = next + 1 == windows ? 0 : next + 1;
        return next;
    }

    /** WRITE of 8 bytes through one window after the other. */
    @Benchmark
    public void writeThroughWindow() {
        int window = nextWindow();
        user.qp().postSend(SendWorkRequest.write(window, addresses[window], keys[window], source));
        await(user);
    }

    /** The same WRITE through one window of them all, again and again: the yardstick. */
    @Benchmark
    public void writeThroughOneWindow() {
        int window = nextWindow();
        user.qp().postSend(SendWorkRequest.write(window, addresses[0], keys[0], source));
        await(user);
    }

    /** The same WRITE with the key of the region. */
    @Benchmark
    public void writeToRegion() {
        int window = nextWindow();
        user.qp()
                .postSend(SendWorkRequest.write(
                        window, owner.address((int) (addresses[window] - region.address())), owner.rkey(), source));
        await(user);
    }

    /** LOCAL_INV of a window of type 2 and BIND_MW of it again with the next key: two requests, two completions. */
    @Benchmark
    public void invalidateAndBind() {
        int window = nextWindow();
        int key = keys[window];
        owner.qp().postSend(SendWorkRequest.localInvalidate(window, key));
        await(owner);
        bind(window, key + 1);
    }

    /** A window of type 1, bound again. */
    @State(Scope.Thread)
    public static class Type1 {
        private MemoryWindow window;

        /** Allocates it. */
        @Setup(Level.Trial)
        public void allocate(WindowBenchmark all) {
            window = all.owner.pd().allocateWindow(MemoryWindowType.TYPE_1);
        }
    }

    /** A rebind of one window of type 1 among many others. */
    @Benchmark
    public void rebindType1(Type1 type1) {
        owner.qp().bindWindow(type1.window, WindowBind.signaled(1, infos[nextWindow()]));
        await(owner);
    }
}
