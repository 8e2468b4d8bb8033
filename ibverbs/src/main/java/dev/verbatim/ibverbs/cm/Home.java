// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.ibverbs.verbs.Context;
import dev.verbatim.ibverbs.verbs.Pd;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A device of identifiers, with the one context and protection domain that all of them share, as librdmacm has them. */
final class Home {

    private static final List<@Nullable Home> HOMES = new ArrayList<>();

    private final Adapter adapter;
    private final Context context;
    private final Pd pd;

    private Home(Adapter adapter) {
        this.adapter = adapter;
        context = new Context(adapter);
        Misuse.enterOwn();
        pd = Pd.of(context);
        Misuse.leaveOwn();
    }

    /** That of the first device, which has all addresses of the machine that no other device has. */
    static Home first() {
        return at(0);
    }

    /** That of a device, which is opened by the first use. */
    private static synchronized Home at(int index) {
        while (HOMES.size() <= index) {
            HOMES.add(null);
        }
        Home known = HOMES.get(index);
        if (known == null) {
            known = new Home(Adapters.all().get(index));
            HOMES.set(index, known);
        }
        return known;
    }

    /** Those of all devices. */
    static List<Home> all() {
        List<Home> all = new ArrayList<>();
        for (Adapter adapter : Adapters.all()) {
            all.add(at(adapter.index()));
        }
        return all;
    }

    /** That of the device with the address; the first if none has it. */
    static Home at(InetAddress address) {
        if (Adapters.all().size() > 1 && !address.isAnyLocalAddress()) {
            Gid gid = Gid.of(address);
            for (Home home : all()) {
                if (home.device().gid().equals(gid)) {
                    return home;
                }
            }
        }
        return first();
    }

    /** That of a device. */
    static Home of(Device device) {
        for (Home home : all()) {
            if (home.device().equals(device)) {
                return home;
            }
        }
        return first();
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

    /** Whether peers are found by sockets, so that each address of the machine leads to a device. */
    boolean isReachedBySockets() {
        return !adapter.settings().isRoce();
    }

    /** The address by which programs know the device: the one of the settings, or its GID if that is an IPv4 address. */
    InetAddress address() {
        InetAddress named = adapter.settings().address();
        if (named != null) {
            return named;
        }
        return device().gid().toInetAddress() instanceof Inet4Address four ? four : InetAddress.getLoopbackAddress();
    }
}
