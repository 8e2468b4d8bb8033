// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** Two devices of a profile, RXE_LIKE unless a test says otherwise. */
abstract class RxeLikeFixture {

    static final DeviceProfile RXE = DeviceProfile.RXE_LIKE;
    static final int NO_KEY = 0x77;

    @AutoClose
    WindowBench bench;

    Side left;
    Side right;

    @BeforeEach
    void open() {
        on(RXE);
    }

    void on(DeviceProfile profile) {
        if (bench != null) {
            bench.close();
        }
        bench = WindowBench.of(profile);
        left = bench.pair.left;
        right = bench.pair.right;
    }

    SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, right.address(0), right.rkey(), left.sge(0, 8));
    }

    WcStatus outcome(SendWorkRequest request) {
        left.qp.postSend(request);
        return left.sent().status();
    }

    void bothIn(QpState leftState, QpState rightState) {
        assertState(left.qp, leftState);
        assertState(right.qp, rightState);
    }
}
