// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.TransportEngine;
import dev.verbatim.device.rc.RcEngine;
import dev.verbatim.device.uc.UcEngine;
import dev.verbatim.device.ud.UdEngine;

/** What carries out each transport service. */
final class TransportEngines {

    private final EmulatedPorts ports;

    /** For the queue pairs of a device with those ports. */
    TransportEngines(EmulatedPorts ports) {
        this.ports = ports;
    }

    /** A new engine at rest. */
    TransportEngine of(QpContext qp) {
        return switch (qp.transport()) {
            case RC, XRC -> new RcEngine(qp);
            case UC -> new UcEngine(qp);
            case UD -> new UdEngine(qp, () -> ports.at(qp.port().number()).badQueueKey());
        };
    }
}
