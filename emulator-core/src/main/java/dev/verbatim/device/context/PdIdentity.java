// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A protection domain as the device compares it, and how many objects were made in it. On the lane. */
public final class PdIdentity {

    private final DeviceContext device;
    private final int number;
    private final @Nullable ProtectionDomain handle;
    private int regions;
    private int windows;
    private int queuePairs;
    private int sharedReceiveQueues;
    private int addressHandles;
    private boolean open = true;

    /**
     * An empty domain.
     *
     * @param handle the domain as programs have it; null for one that no program has, so that no key is valid in it
     */
    public PdIdentity(DeviceContext device, int number, @Nullable ProtectionDomain handle) {
        this.device = device;
        this.number = number;
        this.handle = handle;
    }

    public DeviceContext device() {
        return device;
    }

    /** The domain as programs have it; a program must have it. */
    public ProtectionDomain handle() {
        return Objects.requireNonNull(handle);
    }

    public void countRegions(int change) {
        regions += change;
    }

    public void countWindows(int change) {
        windows += change;
    }

    public void countQueuePairs(int change) {
        queuePairs += change;
    }

    public void countSharedReceiveQueues(int change) {
        sharedReceiveQueues += change;
    }

    /** So many address handles more, or fewer; throws ENOMEM if the device has {@code max_ah}. */
    public void countAddressHandles(int change) {
        device.countAddressHandles(change);
        addressHandles += change;
    }

    public boolean isOpen() {
        return open;
    }

    /** The program frees the domain; throws ENOENT if it was freed before, EBUSY if there is something in it. */
    public void close() {
        if (!open || !device.isOpen()) {
            throw VerbsException.of(Errno.ENOENT, Rule.PD_03, "%s was freed before", this);
        }
        if (regions + windows + queuePairs + sharedReceiveQueues + addressHandles > 0) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.PD_01,
                    "%s has regions=%d windows=%d queue pairs=%d shared receive queues=%d address handles=%d; close them"
                            + " first",
                    this,
                    regions,
                    windows,
                    queuePairs,
                    sharedReceiveQueues,
                    addressHandles);
        }
        open = false;
    }

    /** Throws ENOENT if nothing can be made in it any more, since it was freed. */
    public void requireOpenForNew(String what) {
        device.requireOpen();
        if (!open) {
            throw VerbsException.of(
                    Errno.ENOENT, Rule.PD_02, "no %s can be made in %s: it was freed; allocate another", what, this);
        }
    }

    @Override
    public String toString() {
        return "pd " + number;
    }
}
