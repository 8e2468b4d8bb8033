// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;

/** An address handle: an address vector that was checked once. */
final class EmulatedAddressHandle implements AddressHandle {

    private final EmulatedProtectionDomain pd;
    private final AddressVector addressVector;
    private volatile boolean open = true;

    EmulatedAddressHandle(EmulatedProtectionDomain pd, AddressVector addressVector) {
        this.pd = pd;
        this.addressVector = addressVector;
    }

    @Override
    public EmulatedProtectionDomain pd() {
        return pd;
    }

    @Override
    public AddressVector addressVector() {
        return addressVector;
    }

    boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        pd.device().lane().call(() -> {
            if (!open || !pd.device().isOpen()) {
                throw VerbsException.of(Errno.ENOENT, "PD-03", "%s was destroyed before", this);
            }
            open = false;
            pd.addressHandleGone();
        });
    }

    @Override
    public String toString() {
        return "address handle to " + addressVector.destination();
    }
}
