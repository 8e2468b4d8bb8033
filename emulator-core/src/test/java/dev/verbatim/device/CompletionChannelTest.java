// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.event.EventPoint;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LogCapture;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Completion events once they are raised: read, acknowledged, owed. Two queues of the left device share a channel. */
class CompletionChannelTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private CompletionChannel channel;
    private CompletionQueue first;
    private CompletionQueue second;
    private QueuePair onFirst;
    private QueuePair onSecond;

    @BeforeEach
    void connect() {
        channel = pair.left.device.createCompletionChannel();
        first = pair.left.device.createCq(64, "first", channel, 0);
        second = pair.left.device.createCq(64, "second", channel, 0);
        onFirst = connected(first);
        onSecond = connected(second);
    }

    @Test
    @Rule({"NT-07", "CC-01"})
    void oneChannelAnnouncesManyQueuesInTheOrderOfTheirCompletions() {
        first.requestNotify(false);
        second.requestNotify(false);
        onSecond.postSend(write());
        onFirst.postSend(write());

        CompletionEvent earlier = channel.getEvent(Await.LIMIT);
        CompletionEvent later = channel.getEvent(Await.LIMIT);
        assertThat(earlier.cq()).isSameAs(second);
        assertThat(earlier.cq().context()).isEqualTo("second");
        assertThat(later.cq()).isSameAs(first);
        assertThat(later.cq().context()).isEqualTo("first");

        earlier.acknowledge();
        assertThatThrownBy(earlier::acknowledge)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NT-07");
        asserted();
    }

    @Test
    @Rule({"NT-06", "CC-02"})
    void queueIsNotDestroyedBeforeEachOfItsEventsWasGivenBack() {
        announce(first, onFirst);
        announce(first, onFirst);
        announce(first, onFirst);
        onFirst.close();
        CompletionEvent one = channel.getEvent(Await.LIMIT);
        CompletionEvent two = channel.getEvent(Await.LIMIT);

        assertRefused(Errno.EBUSY, "NT-06", first::close, "2 unacknowledged events");
        two.acknowledge();
        assertRefused(Errno.EBUSY, "NT-06", first::close, "1 unacknowledged events");
        one.acknowledge();
        announce(second, onSecond);
        first.close();

        // The third event, which nobody had taken, went with its queue.
        CompletionEvent next = channel.getEvent(Await.LIMIT);
        assertThat(next.cq()).isSameAs(second);
        next.acknowledge();
        assertThat(channel.pollEvent()).isNull();
    }

    @Test
    @Rule("NT-06")
    void waitingEndsWithEtimedoutWhenPatienceEnds() {
        assertThat(channel.pollEvent()).isNull();
        assertRefused(Errno.ETIMEDOUT, "NT-06", () -> channel.getEvent(Duration.ofMillis(1)), "no completion event");
        announce(first, onFirst);
        onFirst.close();
        CompletionEvent event = channel.getEvent(Duration.ZERO);
        assertThat(event).isNotNull();
        assertRefused(Errno.EBUSY, "NT-06", first::close, "1 unacknowledged events");
        event.acknowledge();
        first.close();
    }

    @Test
    @Rule("NT-06")
    void channelThatDoesNotBlockSaysAgainInsteadOfWaiting() {
        channel.nonBlocking(true);
        assertRefused(Errno.EAGAIN, "NT-06", channel::getEvent);
        announce(first, onFirst);
        CompletionEvent event = channel.getEvent();
        assertThat(event.cq()).isSameAs(first);
        event.acknowledge();
        assertRefused(Errno.EAGAIN, "NT-06", channel::getEvent);
        channel.nonBlocking(false);
        announce(second, onSecond);
        assertThat(channel.getEvent().cq()).isSameAs(second);
        second.acknowledgeEvents(1);
    }

    @Test
    @Rule({"NT-06", "NT-07"})
    void eventsAreGivenBackByNumberAndNoMoreThanWereTaken() {
        for (int i = 0; i < 3; i++) {
            announce(first, onFirst);
        }
        announce(second, onSecond);
        onFirst.close();
        for (int i = 0; i < 4; i++) {
            assertThat(channel.getEvent(Await.LIMIT)).isNotNull();
        }
        assertThatThrownBy(() -> first.acknowledgeEvents(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only 3")
                .hasMessageContaining("NT-07");
        assertThatThrownBy(() -> first.acknowledgeEvents(-1)).isInstanceOf(IllegalStateException.class);
        first.acknowledgeEvents(2);
        assertRefused(Errno.EBUSY, "NT-06", first::close, "1 unacknowledged events");
        first.acknowledgeEvents(0);
        first.acknowledgeEvents(1);
        first.close();
        second.acknowledgeEvents(1);
        asserted();
    }

    @Test
    @Rule({"NT-06", "NT-07"})
    void callbackIsToldOfEachEventAndTakesNone() {
        AtomicInteger told = new AtomicInteger();
        announce(first, onFirst);
        announce(first, onFirst);
        AtomicInteger dropped = new AtomicInteger();
        channel.onReady(told::incrementAndGet, dropped::incrementAndGet);
        assertThat(told).hasValue(2);
        announce(second, onSecond);
        assertThat(told).hasValue(3);
        assertThat(channel.hasEvent()).isTrue();
        onFirst.close();
        // Nothing was taken, so nothing is owed; two were told of that nobody can fetch.
        assertThat(dropped).hasValue(0);
        first.close();
        assertThat(dropped).hasValue(2);
        CompletionEvent event = channel.pollEvent();
        assertThat(event).isNotNull();
        assertThat(event.cq()).isSameAs(second);
        event.acknowledge();
        assertThat(channel.pollEvent()).isNull();
        channel.onReady(null);
        announce(second, onSecond);
        assertThat(told).hasValue(3);
        asserted();
    }

    @Test
    @Rule("NT-06")
    void callbackThatThrowsHarmsNobodyAndIsLoggedOnce() {
        IllegalStateException broken = new IllegalStateException("broken callback");
        try (LogCapture log = new LogCapture(EventPoint.class)) {
            channel.onReady(() -> {
                throw broken;
            });
            announce(first, onFirst);
            announce(first, onFirst);
            assertThat(log.records()).extracting(LogRecord::getThrown).containsExactly(broken);
        }
        assertThat(channel.getEvent(Await.LIMIT).cq()).isSameAs(first);
        assertThat(channel.getEvent(Await.LIMIT).cq()).isSameAs(first);
        first.acknowledgeEvents(2);
        channel.onReady(() -> channel.onReady(null));
        announce(first, onFirst);
        asserted();
    }

    @Test
    @Rule("PD-05")
    void channelInUseIsNotDestroyedAndADestroyedOneIsOfNoUse() {
        assertRefused(Errno.EBUSY, "PD-05", channel::close, "2 completion queues");
        onFirst.close();
        onSecond.close();
        first.close();
        assertRefused(Errno.EBUSY, "PD-05", channel::close, "1 completion queues");
        second.close();
        channel.close();
        assertRefused(Errno.EINVAL, "PD-03", channel::pollEvent);
        assertRefused(Errno.EINVAL, "PD-03", () -> channel.onReady(() -> {}));
        channel.onReady(null);
        assertRefused(Errno.ENOENT, "PD-03", channel::close);
        assertRefused(Errno.EINVAL, "PD-03", () -> pair.left.device.createCq(8, null, channel, 0));
    }

    @Test
    @Rule("NT-01")
    void parkedThreadIsWokenByTheCompletion() throws Exception {
        first.requestNotify(false);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<CompletionEvent> event = CompletableFuture.supplyAsync(() -> {
            waiter.set(Thread.currentThread());
            return channel.getEvent(Await.LIMIT);
        });
        awaitParked(waiter);
        onFirst.postSend(write());
        assertThat(Await.result("an event", event).cq()).isSameAs(first);
        asserted();
    }

    @Test
    void parkedThreadIsToldWhenItsDeviceIsClosedOrItIsInterrupted() throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<VerbsException> interrupted = refusalOfWaiting(waiter);
        awaitParked(waiter).interrupt();
        assertThat(Await.result("the end of an interrupted wait", interrupted).errno())
                .isEqualTo(Errno.EINTR);

        waiter.set(null);
        CompletableFuture<VerbsException> closed = refusalOfWaiting(waiter);
        awaitParked(waiter);
        pair.left.device.closeAll();
        assertThat(Await.result("the end of the wait", closed).errno()).isEqualTo(Errno.EINVAL);
    }

    private CompletableFuture<VerbsException> refusalOfWaiting(AtomicReference<Thread> waiter) {
        CompletableFuture<VerbsException> refusal = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            waiter.set(Thread.currentThread());
            try {
                channel.getEvent(Await.LIMIT);
            } catch (VerbsException e) {
                refusal.complete(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return refusal;
    }

    private static Thread awaitParked(AtomicReference<Thread> waiter) {
        Thread thread = Await.value("a thread", waiter::get, Objects::nonNull);
        Await.state(thread, Thread.State.TIMED_WAITING);
        return thread;
    }

    private void announce(CompletionQueue cq, QueuePair queuePair) {
        cq.requestNotify(false);
        queuePair.postSend(write());
        assertThat(cq.awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
    }

    private SendWorkRequest write() {
        return SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }

    private QueuePair connected(CompletionQueue cq) {
        QueuePair near = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        QueuePair far =
                pair.right.pd.createQp(QpInitAttributes.rc(pair.right.sendCq, pair.right.recvCq, QpCapabilities.USUAL));
        RcConnection.connect(near, far);
        return near;
    }
}
