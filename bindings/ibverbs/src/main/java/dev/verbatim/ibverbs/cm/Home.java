// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmId;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.ibverbs.place.Settings;
import dev.verbatim.ibverbs.verbs.Context;
import dev.verbatim.ibverbs.verbs.Pd;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A port of identifiers, with the one context and protection domain that all of its device share, as librdmacm has them. */
final class Home {

    /** By adapter, then by port. */
    private static final List<@Nullable List<Home>> HOMES = new ArrayList<>();

    private final Adapter adapter;
    private final Context context;
    private final Pd pd;
    private final int port;

    private Home(Adapter adapter, Context context, Pd pd, int port) {
        this.adapter = adapter;
        this.context = context;
        this.pd = pd;
        this.port = port;
    }

    /** Those of all ports of an adapter. */
    private static List<Home> allOf(Adapter adapter) {
        Context context = new Context(adapter);
        Misuse.enterOwn();
        Pd pd = Pd.of(context);
        Misuse.leaveOwn();
        return IntStream.rangeClosed(1, context.device().gids().size())
                .mapToObj(port -> new Home(adapter, context, pd, port))
                .toList();
    }

    /** That of the first port of the first device, which has all addresses of the machine that no other port has. */
    static Home first() {
        return at(0).get(0);
    }

    /** Those of a device, which is opened by the first use. */
    private static synchronized List<Home> at(int index) {
        while (HOMES.size() <= index) {
            HOMES.add(null);
        }
        List<Home> known = HOMES.get(index);
        if (known == null) {
            known = allOf(Adapters.all().get(index));
            HOMES.set(index, known);
        }
        return known;
    }

    /** Those of all ports of all devices. */
    static List<Home> all() {
        List<Home> all = new ArrayList<>();
        for (Adapter adapter : Adapters.all()) {
            all.addAll(at(adapter.index()));
        }
        return all;
    }

    /** That of the port with the address; the first if none has it. */
    static Home at(InetAddress address) {
        Settings settings = Adapters.all().get(0).settings();
        if (Adapters.all().size() * settings.ports() > 1 && !address.isAnyLocalAddress()) {
            Gid gid = Gid.of(address);
            for (Home home : all()) {
                if (home.gid().equals(gid)) {
                    return home;
                }
            }
        }
        return first();
    }

    /** That of an identifier of a device. */
    static Home of(CmId id) {
        for (Home home : all()) {
            if (home.device().equals(id.device()) && home.port == id.portNumber()) {
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

    /** Its number, from 1. */
    int port() {
        return port;
    }

    Gid gid() {
        return device().gids().get(port - 1);
    }

    /** Whether peers are found by sockets, so that each address of the machine leads to a device. */
    boolean isReachedBySockets() {
        return !adapter.settings().isRoce();
    }

    /** The address by which programs know the port: the one of the settings, or its GID if that is an IPv4 address. */
    InetAddress address() {
        InetAddress named = adapter.settings().address(port);
        if (named != null) {
            return named;
        }
        return gid().toInetAddress() instanceof Inet4Address four ? four : InetAddress.getLoopbackAddress();
    }
}
