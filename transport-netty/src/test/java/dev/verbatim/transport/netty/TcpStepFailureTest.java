// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.StepFailureContract;
import dev.verbatim.testing.SabotagedFabric;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that fail on the lanes of two sockets. */
class TcpStepFailureTest extends StepFailureContract {

    @Override
    protected World world() {
        return new TcpWorld(options());
    }

    /** How its sockets are. */
    NettyOptions options() {
        return NettyOptions.defaults();
    }

    @Override
    protected boolean lands() {
        return true;
    }

    private static final class TcpWorld implements World {

        private final NettyOptions options;
        private final List<NettyFabric> sockets = new ArrayList<>();
        private final List<SabotagedFabric> fabrics = new ArrayList<>();
        private final List<Verbatim> doors = new ArrayList<>();

        TcpWorld(NettyOptions options) {
            this.options = options;
        }

        @Override
        public Device open(String name, @Nullable Tap tap) {
            NettyFabric socket = NettyFabric.open(options);
            SabotagedFabric fabric = new SabotagedFabric(socket);
            Verbatim door = Verbatim.over(fabric);
            sockets.add(socket);
            fabrics.add(fabric);
            doors.add(door);
            return (tap == null ? door : door.tap(tap)).open(name);
        }

        @Override
        public void meet() {
            assertThat(sockets.get(0).dial(sockets.get(1).listen(Node.loopback(0))))
                    .isNotNull();
        }

        @Override
        public SabotagedFabric fabricOf(Device device) {
            return fabrics.get(device.name().equals("left") ? 0 : 1);
        }

        @Override
        public void close() {
            Throwable first = null;
            for (Verbatim door : doors) {
                try {
                    door.close();
                } catch (AssertionError e) {
                    first = first == null ? e : first;
                }
            }
            doors.clear();
            if (first instanceof AssertionError e) {
                throw e;
            }
        }
    }
}
