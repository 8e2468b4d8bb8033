// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.ibverbs.verbs.Context;
import dev.verbatim.ibverbs.verbs.Pd;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The device of identifiers, with the one context and protection domain that all of them share, as librdmacm has them. */
final class Home {

    private static @Nullable Home home;

    private final Context context;
    private final Pd pd;

    private Home(Adapter adapter) {
        context = new Context(adapter);
        pd = Pd.of(context);
    }

    /** Opened by the first use. */
    static synchronized Home get() {
        Home known = home;
        if (known == null) {
            known = new Home(Adapters.all().get(0));
            home = known;
        }
        return known;
    }

    Context context() {
        return context;
    }

    Pd pd() {
        return pd;
    }

    Device device() {
        return context.device();
    }

    /** The address by which programs know the device: its GID if that is an IPv4 address, else the loopback address. */
    InetAddress address() {
        InetAddress own = inet(device().gid());
        return own == null ? InetAddress.getLoopbackAddress() : own;
    }

    /** The IPv4 address that a GID is; null if it is another. */
    static @Nullable InetAddress inet(Gid gid) {
        return gid.toInetAddress() instanceof Inet4Address four ? four : null;
    }
}
