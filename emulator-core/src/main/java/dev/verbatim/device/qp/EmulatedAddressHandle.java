// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** An address handle: an address vector that was checked once. */
public final class EmulatedAddressHandle implements AddressHandle {

    private final PdIdentity domain;
    private final AddressVector addressVector;
    private volatile boolean open = true;

    public EmulatedAddressHandle(PdIdentity domain, AddressVector addressVector) {
        this.domain = domain;
        this.addressVector = addressVector;
    }

    @Override
    public ProtectionDomain pd() {
        return domain.handle();
    }

    /** The domain that it is in. */
    PdIdentity domain() {
        return domain;
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
        domain.device().lane().call(() -> {
            if (!open || !domain.device().isOpen()) {
                throw VerbsException.of(Errno.ENOENT, Rule.PD_03, "%s was destroyed before", this);
            }
            open = false;
            domain.countAddressHandles(-1);
            domain.device().closed(this);
        });
    }

    @Override
    public String toString() {
        return "address handle to " + addressVector.destination();
    }
}
