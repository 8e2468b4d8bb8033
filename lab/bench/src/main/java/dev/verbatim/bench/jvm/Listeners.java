// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.Verbatim;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Devices of the passive JVM that only have links, but for the first, which has queue pairs too. */
final class Listeners implements AutoCloseable {

    private final List<Verbatim> opened = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private @Nullable ManyQps manyQps;

    /** One more; where it listens. */
    int open(SocketTransport transport) {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        Verbatim rdma = Verbatim.over(fabric);
        opened.add(rdma);
        devices.add(rdma.open("listener"));
        return fabric.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getPort();
    }

    /** Makes a queue pair for each of the peer's and connects it; their numbers. */
    List<Integer> manyQps(Gid peer, List<Integer> numbers) {
        ManyQps made = new ManyQps(devices.get(0), numbers.size());
        made.connect(peer, numbers);
        manyQps = made;
        return made.numbers();
    }

    /** Those that were made last. */
    ManyQps manyQps() {
        return Objects.requireNonNull(manyQps, "no queue pairs were made");
    }

    @Override
    public void close() {
        opened.forEach(Verbatim::close);
        opened.clear();
        devices.clear();
        manyQps = null;
    }
}
