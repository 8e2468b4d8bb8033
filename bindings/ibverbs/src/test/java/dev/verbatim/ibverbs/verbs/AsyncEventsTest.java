// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.Verbatim;
import dev.verbatim.ibverbs.abi.Layouts.ibv_async_event;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects are destroyed when their events are acknowledged. */
class AsyncEventsTest {

    private static final long ELEMENT = 0x1000;

    private final Verbatim verbatim = Verbatim.inProcess();
    private final Device device = verbatim.open("device");
    private final long struct = Native.allocate(ibv_async_event.SIZE);
    private int tries;

    @AfterEach
    void close() {
        Native.free(struct);
        verbatim.close();
    }

    private void fetch() {
        device.inject(EventType.GID_CHANGE);
        AsyncEvent event = Objects.requireNonNull(device.pollAsyncEvent());
        AsyncEvents.fetched(null, ELEMENT, event);
        Native.putLong(struct, ELEMENT);
        ibv_async_event.event_type.set(struct, event.type().number());
    }

    private static VerbsException busy() {
        return VerbsException.of(Errno.EBUSY, Rule.AE_20, "it has an unacknowledged event");
    }

    /** As another thread may do it. */
    @Test
    void eventThatIsAcknowledgedWhileTheObjectIsRefusedIsAReasonToTryAgain() {
        fetch();
        AsyncEvents.destroy("ibv_destroy_qp", ELEMENT, () -> {
            tries++;
            if (tries == 1) {
                AsyncEvents.ibv_ack_async_event(struct);
                throw busy();
            }
        });
        assertThat(tries).isEqualTo(2);
    }

    @Test
    void objectWithoutEventsIsRefusedAtOnce() {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> AsyncEvents.destroy("ibv_destroy_qp", ELEMENT, () -> {
                    tries++;
                    throw busy();
                }));
        assertThat(tries).isEqualTo(1);
    }
}
