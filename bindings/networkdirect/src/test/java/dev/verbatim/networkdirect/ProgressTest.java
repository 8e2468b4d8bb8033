// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What wakes a thread that waits. It looks by itself once a day here, so it ends only if it is woken. */
class ProgressTest {

    private static final Duration DAY = Duration.ofDays(1);

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final ObjectCalls calls = new ObjectCalls(pair.left.device);
    private final CompletionChannel channel = pair.left.device.createCompletionChannel();
    private final AtomicReference<CompletionQueue> announced = new AtomicReference<>();
    private final Progress progress = progress(channel);

    private Progress progress(CompletionChannel of) {
        return new Progress(new CompletionDispatcher(of, calls, announced::set), calls, DAY);
    }

    @Test
    void eventOfACompletionChannelWakes() throws Exception {
        CompletionQueue cq = pair.left.device.createCq(8, null, channel, 0);
        QueuePair qp = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        cq.requestNotify(false);
        CompletableFuture<Boolean> wait = waiting(List.of(progress), () -> announced.get() != null);
        qp.modify(new QpAttributes().state(QpState.ERR));
        qp.postRecv(ReceiveWorkRequest.of(1));
        assertThat(Await.result("the end of the wait", wait)).isTrue();
        assertThat(announced.get()).isSameAs(cq);
    }

    @Test
    void whatAnotherThreadCompletesWakes() throws Exception {
        AtomicBoolean completed = new AtomicBoolean();
        CompletableFuture<Boolean> wait = waiting(List.of(progress), completed::get);
        completed.set(true);
        progress.wake();
        assertThat(Await.result("the end of the wait", wait)).isTrue();
    }

    /** Two of one device. */
    @Test
    void eachOfSeveralAdaptersWakes() throws Exception {
        AtomicBoolean completed = new AtomicBoolean();
        Progress other = progress(pair.left.device.createCompletionChannel());
        CompletableFuture<Boolean> wait = waiting(List.of(progress, other), completed::get);
        completed.set(true);
        other.wake();
        assertThat(Await.result("the end of the wait", wait)).isTrue();
    }

    @Test
    void eventOfAConnectionWakes() throws Exception {
        AtomicBoolean heard = new AtomicBoolean();
        EventChannel events = EventChannel.open(pair.left.device, CmOptions.USUAL);
        progress.connections(new ConnectionDispatcher(events, calls, progress, () -> true, event -> heard.set(true)));
        CmId id = events.createId();
        CompletableFuture<Boolean> wait = waiting(List.of(progress), heard::get);
        id.resolveAddress(new InetSocketAddress(pair.right.device.gid().toInetAddress(), 7), Duration.ofSeconds(1));
        assertThat(Await.result("the end of the wait", wait)).isTrue();
    }

    /** Begins a wait in a thread of its own, and returns when it is parked. */
    private static CompletableFuture<Boolean> waiting(List<Progress> all, BooleanSupplier condition) {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> end.complete(Progress.await(all, condition, DAY)), "waiting");
        thread.setDaemon(true);
        thread.start();
        Await.until("thread that is parked", () -> thread.getState() == Thread.State.TIMED_WAITING, thread::getState);
        return end;
    }
}
