// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.abi.Layouts.pollfd;
import dev.verbatim.ibverbs.abi.Native;
import org.junit.jupiter.api.Test;

/** Descriptors of events, while threads of the device may still raise them. */
class SignalTest {

    private static final short POLLIN = 1;

    private static int readable(int descriptor) {
        long entry = Native.allocate(pollfd.SIZE);
        pollfd.fd.set(entry, descriptor);
        pollfd.events.set(entry, POLLIN);
        int ready = Native.poll(entry, 1, 0);
        Native.free(entry);
        return ready;
    }

    @Test
    void eventThatIsRaisedBehindTheEndDoesNotReachWhoeverHasTheNumberThen() {
        Signal closed = new Signal();
        closed.close();
        Signal other = new Signal();
        try {
            assumeTrue(other.descriptor() == closed.descriptor(), "another thread has opened something meanwhile");
            closed.raise();
            assertThat(readable(other.descriptor())).isZero();
            other.raise();
            assertThat(readable(other.descriptor())).isOne();
        } finally {
            other.close();
        }
    }
}
