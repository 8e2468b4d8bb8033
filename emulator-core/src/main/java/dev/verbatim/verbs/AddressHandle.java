// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * An address handle ({@code struct ibv_ah}): the destination device of datagrams of UD queue pairs. It may be used in
 * any number of requests; a posted request copies the address.
 */
public interface AddressHandle extends AutoCloseable {

    /** The protection domain; a queue pair that uses the handle must belong to the same domain (WR-41). */
    ProtectionDomain pd();

    /** The address. */
    AddressVector addressVector();

    /**
     * Destroys the handle ({@code ibv_destroy_ah}).
     *
     * @throws VerbsException ENOENT if destroyed before
     */
    @Override
    void close();
}
