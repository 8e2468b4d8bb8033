// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** Any order of arming, completing, polling and reading events gives what a model of three variables says. */
class CompletionNotificationPropertiesTest {

    private enum Step {
        ARM_FOR_ANY,
        ARM_FOR_SOLICITED,
        SEND_SUCCEEDS,
        PLAIN_MESSAGE_COMES,
        SOLICITED_MESSAGE_COMES,
        REQUEST_FAILS,
        POLL_ONE,
        READ_EVENT
    }

    private enum Armed {
        NO,
        SOLICITED,
        ANY
    }

    /** NT-01 to NT-05 in a few lines. */
    private static final class Model {
        private Armed armed = Armed.NO;
        private int events;
        private final ArrayDeque<Long> completions = new ArrayDeque<>();

        void arm(boolean solicitedOnly) {
            armed = solicitedOnly && armed != Armed.ANY ? Armed.SOLICITED : Armed.ANY;
        }

        void complete(long id, boolean noteworthy) {
            completions.add(id);
            if (armed == Armed.ANY || armed == Armed.SOLICITED && noteworthy) {
                armed = Armed.NO;
                events++;
            }
        }
    }

    /** The device: one queue with a channel, a queue pair that works, and one in ERR whose receives fail at once. */
    private static final class World implements AutoCloseable {
        private final RcPair pair = RcPair.inProcess();
        private final CompletionChannel channel = pair.right.device.createCompletionChannel();
        private final CompletionQueue cq = pair.right.device.createCq(256, null, channel, 0);
        private final QueuePair working = queuePair();
        private final QueuePair failed = queuePair();
        private final QueuePair peer =
                pair.left.pd.createQp(QpInitAttributes.rc(pair.left.sendCq, pair.left.recvCq, QpCapabilities.USUAL));
        private final Model model = new Model();
        private long id;

        World() {
            RcConnection.connect(peer, working);
            failed.modify(new QpAttributes().state(QpState.ERR));
        }

        private QueuePair queuePair() {
            return pair.right.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        }

        void take(Step step) {
            id++;
            switch (step) {
                case ARM_FOR_ANY -> {
                    cq.requestNotify(false);
                    model.arm(false);
                }
                case ARM_FOR_SOLICITED -> {
                    cq.requestNotify(true);
                    model.arm(true);
                }
                case SEND_SUCCEEDS -> {
                    working.postSend(SendWorkRequest.write(id, pair.left.address(0), pair.left.rkey())
                            .plus(SendFlags.SOLICITED));
                    model.complete(id, false);
                }
                case PLAIN_MESSAGE_COMES -> receive(0);
                case SOLICITED_MESSAGE_COMES -> receive(SendFlags.SOLICITED);
                case REQUEST_FAILS -> {
                    failed.postRecv(ReceiveWorkRequest.of(id));
                    model.complete(id, true);
                }
                case POLL_ONE -> poll();
                case READ_EVENT -> readEvent();
                default -> throw new IllegalArgumentException(step.toString());
            }
        }

        private void receive(int flags) {
            working.postRecv(ReceiveWorkRequest.of(id));
            peer.postSend(SendWorkRequest.send(0).unsignaled().plus(flags));
            model.complete(id, flags != 0);
        }

        void poll() {
            List<Long> polled = new ArrayList<>();
            cq.poll(1).stream().map(WorkCompletion::id).forEach(polled::add);
            Long expected = model.completions.poll();
            assertThat(polled).isEqualTo(expected == null ? List.of() : List.of(expected));
        }

        void readEvent() {
            CompletionEvent event = channel.pollEvent();
            if (event != null) {
                event.acknowledge();
            }
            assertThat(event != null).as("an event").isEqualTo(model.events > 0);
            model.events -= model.events > 0 ? 1 : 0;
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    @Property(tries = 300)
    @Rule({"NT-01", "NT-02", "NT-03", "NT-04", "NT-05"})
    void deviceAnnouncesWhatTheModelAnnounces(@ForAll @Size(max = 60) List<Step> steps) {
        try (World world = new World()) {
            steps.forEach(world::take);
            while (world.model.events > 0) {
                world.readEvent();
            }
            world.readEvent();
            while (!world.model.completions.isEmpty()) {
                world.poll();
            }
            world.poll();
            asserted();
        }
    }
}
