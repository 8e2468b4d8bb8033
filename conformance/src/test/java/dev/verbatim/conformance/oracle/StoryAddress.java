// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ProtectionDomain;

/** Where a datagram of a {@link Story} goes. */
record StoryAddress(Gid gid) implements AddressHandle {

    @Override
    public ProtectionDomain pd() {
        throw new UnsupportedOperationException("nothing in a story has a domain");
    }

    @Override
    public AddressVector addressVector() {
        return AddressVector.to(gid);
    }

    @Override
    public void close() {}
}
