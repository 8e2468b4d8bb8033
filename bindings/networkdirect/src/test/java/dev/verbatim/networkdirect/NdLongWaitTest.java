// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A thread that waits for a request for long in real time is logged, once for each object, with what does not get on and its line. */
class NdLongWaitTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    @LongTest
    void waitsForARequestAndAtAPortAreLoggedAfterTwoSeconds() {
        Logger logger = Logger.getLogger("dev.verbatim.fabric.LongWait");
        logger.addHandler(handler);
        try (Verbatim door = Verbatim.inProcess()) {
            NdSide left = new NdSide(door.open("left"));
            NdSide right = new NdSide(door.open("right"));
            NdSide.connect(left, right);
            NdCompletionPort port = new NdCompletionPort();
            port.associate(right.file, 1);
            NdListener listener = right.listen(0);
            NdOverlapped asked = new NdOverlapped();
            NdConnector connector = right.adapter.createConnector(right.file);
            assertThat(listener.getConnectionRequest(connector, asked)).isEqualTo(NdStatus.PENDING);
            NdOverlapped notified = new NdOverlapped();
            assertThat(left.qp.receive("no message", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(left.cq.notify(NdNotifyType.ANY, notified)).isEqualTo(NdStatus.PENDING);
            Thread waits = new Thread(() -> left.cq.getOverlappedResult(notified, HOUR), "waits");
            Thread gets = new Thread(() -> port.get(HOUR), "gets");
            waits.start();
            gets.start();

            Await.until("both are told", () -> logged.size() == 2);
            left.cq.cancelOverlappedRequests();
            listener.cancelOverlappedRequests();
            Await.end(waits);
            Await.end(gets);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged)
                .filteredOn(text -> text.startsWith(
                        "thread waits has waited for 2 s in getOverlappedResult at NdLongWaitTest.java:"))
                .singleElement()
                .asString()
                .contains(": for 1 request of NdCompletionQueue of NdAdapter of")
                .contains("no message has come that takes a receive of qp 17; have its peer send one");
        assertThat(logged)
                .filteredOn(text -> text.startsWith("thread gets has waited for 2 s in get at NdLongWaitTest.java:"))
                .singleElement()
                .asString()
                .contains(": for 1 request of NdListener of NdAdapter of");
    }
}
