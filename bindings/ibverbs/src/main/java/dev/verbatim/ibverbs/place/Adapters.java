// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.verbs.Errno;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The adapters of this process. */
public final class Adapters {

    private static @Nullable List<Adapter> adapters;
    private static @Nullable Records records;

    private Adapters() {}

    /** All of them, in the order of their names. */
    public static synchronized List<Adapter> all() {
        List<Adapter> all = adapters;
        if (all == null) {
            Settings settings = Settings.ofProcess();
            records = new Records(settings);
            all = new ArrayList<>();
            for (String name : settings.devices()) {
                all.add(new Adapter(all.size(), name, settings, records));
            }
            adapters = all;
        }
        return all;
    }

    /**
     * The adapter of a {@code struct ibv_device}.
     *
     * @throws dev.verbatim.ibverbs.call.Refused ENODEV if it is none
     */
    public static Adapter of(long struct) {
        for (Adapter adapter : all()) {
            if (adapter.struct() == struct) {
                return adapter;
            }
        }
        throw new Refused(Errno.ENODEV.number(), String.format("no device at 0x%x", struct));
    }

    /** Closes the devices that were opened, so that their peers learn of it. */
    public static synchronized void closeAll() {
        if (Lab.ON) {
            Lab.close();
        }
        if (adapters != null) {
            adapters.forEach(Adapter::close);
            if (records != null) {
                records.close();
            }
        }
    }
}
