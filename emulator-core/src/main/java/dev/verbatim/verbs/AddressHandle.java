// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * An address handle ({@code struct ibv_ah}): where datagrams of UD queue pairs go. It may be used in any number of requests; a
 * request that is posted keeps what it needs of it.
 */
public interface AddressHandle extends AutoCloseable {

    /** The domain it was made in; the queue pair that uses it must be of the same (WR-41). */
    ProtectionDomain pd();

    /** Where it leads to. */
    AddressVector addressVector();

    /**
     * Destroys the handle ({@code ibv_destroy_ah}).
     *
     * @throws VerbsException ENOENT if destroyed before
     */
    @Override
    void close();
}
