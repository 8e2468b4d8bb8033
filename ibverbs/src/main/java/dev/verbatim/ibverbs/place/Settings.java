// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the environment asks for. {@code verbatim exec} sets it from its options. */
public record Settings(Map<String, String> environment) {

    /** Those of this process. */
    public static Settings ofProcess() {
        return new Settings(System.getenv());
    }

    /** The value of a variable; null if it is not set, or empty. */
    @Nullable
    String value(String name) {
        String value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    String value(String name, String otherwise) {
        String value = value(name);
        return value == null ? otherwise : value;
    }

    /** The address of the devices; null for one of this host that is free. */
    public @Nullable String address() {
        return value("VERBATIM_ADDRESS");
    }

    /** Name of the profile. */
    public String profile() {
        return value("VERBATIM_PROFILE", "RXE_LIKE");
    }

    /** Whether packets are datagrams of RoCEv2, and not frames over TCP. */
    public boolean isRoce() {
        return value("VERBATIM_FABRIC", "tcp").equals("roce");
    }

    /** Whether ports say that their link layer is InfiniBand, so that programs use LIDs. */
    public boolean isInfiniband() {
        return value("VERBATIM_LINK", "ethernet").equals("ib");
    }

    /** How many devices there are. */
    public int devices() {
        return Integer.parseInt(value("VERBATIM_DEVICES", "1"));
    }
}
