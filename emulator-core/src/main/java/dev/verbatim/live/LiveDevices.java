// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import dev.verbatim.device.EmulatedDevice;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * The open devices of this process, for observers outside. Devices are held weakly. When a recording of Flight
 * Recorder wants events of devices, each gets a tap, and loses it when none does any more.
 */
public final class LiveDevices {

    private static final List<WeakReference<EmulatedDevice>> DEVICES = new ArrayList<>();
    private static boolean listening;
    private static boolean recorded;

    private LiveDevices() {}

    /**
     * Internal: a device was opened. The first one opens the {@link StatServer} that the system property {@code verbatim.stat} asks for.
     *
     * @throws IllegalArgumentException if that property names no address
     */
    public static void opened(EmulatedDevice device) {
        synchronized (DEVICES) {
            DEVICES.removeIf(each -> !isOpen(each.get()));
            DEVICES.add(new WeakReference<>(device));
            if (!listening && FlightRecorder.isAvailable()) {
                listening = true;
                FlightRecorder.addListener(new Listener());
                recorded = FlightRecorder.isInitialized() && JfrTap.isWanted();
            }
            if (recorded) {
                device.observe(new JfrTap());
            }
        }
        StatServer.openAsAsked();
    }

    /** Those that are open, in the order in which they were opened. */
    static List<EmulatedDevice> all() {
        synchronized (DEVICES) {
            List<EmulatedDevice> open = new ArrayList<>();
            for (WeakReference<EmulatedDevice> each : DEVICES) {
                EmulatedDevice device = each.get();
                if (device != null && device.isOpen()) {
                    open.add(device);
                }
            }
            return open;
        }
    }

    private static boolean isOpen(@Nullable EmulatedDevice device) {
        return device != null && device.isOpen();
    }

    private static void look() {
        List<EmulatedDevice> changed;
        boolean wanted = JfrTap.isWanted();
        synchronized (DEVICES) {
            if (wanted == recorded) {
                return;
            }
            recorded = wanted;
            changed = all();
        }
        changed.forEach(device -> device.observe(wanted ? new JfrTap() : null));
    }

    private static final class Listener implements FlightRecorderListener {
        @Override
        public void recordingStateChanged(Recording recording) {
            look();
        }
    }
}
