// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.inspect;

import dev.verbatim.verbs.Device;
import dev.verbatim.visibility.MemoryInspector;
import dev.verbatim.visibility.MemorySystem;
import java.util.function.Supplier;

/**
 * Watches devices and their programs. A {@link dev.verbatim.trace.Tap} gets a record of each event; an inspector is called while it
 * happens, with objects that it must not keep unless it says so, and sees what programs do as well: polls, waits, objects that they make.
 *
 * <p>Calls about programs come on their threads, calls about devices on their lanes. Several threads may call at once. An inspector must not
 * call verbs, must not wait, and must not throw.
 */
public interface Inspector {

    /** A device is opened; what is returned watches it. */
    DeviceInspector opened(Device device);

    /**
     * In a simulation: this program acts from now on, until the next call. It is called on whichever thread; elsewhere a program is its
     * thread.
     *
     * @param place where in its source the program is, asked for only while it acts
     */
    default void turn(String program, Supplier<String> place) {}

    /** In a simulation: the device ends as by a power failure, and its programs with it. */
    default void crashes(Device device) {}

    /** In a simulation: a node has memory whose observers may see different things; what is returned watches it. */
    default MemoryInspector memory(MemorySystem system) {
        return MemoryInspector.NONE;
    }

    /** In a simulation: the program loaded bytes of memory. */
    default void loaded(long address, int lengthBytes) {}

    /** In a simulation: the program waited until this word had the awaited value, and loads it next. */
    default void loadedUntil(long address, int lengthBytes) {}

    /** In a simulation: the program is about to store bytes of memory. */
    default void stores(long address, int lengthBytes) {}

    /** In a simulation: the program changed what programs share, and programs that look at it later know what it did. */
    default void released(Object object) {}

    /** In a simulation: the program looked at what programs share. */
    default void acquired(Object object) {}

    /** In a simulation: the program waited for something that other programs did, and not by a verb. */
    default void awaited() {}
}
