// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** Flags of the requests of a queue pair. */
public final class NdOpFlags {

    /** No completion on success. */
    public static final int SILENT_SUCCESS = 0x1;

    /** Do not start before the earlier Reads of this queue pair have completed. */
    public static final int READ_FENCE = 0x2;

    /** The receive at the peer is a solicited one: it also satisfies a Notify of type SOLICITED. */
    public static final int SEND_AND_SOLICIT_EVENT = 0x4;

    /** The window lets the peer read. */
    public static final int ALLOW_READ = 0x8;

    /** The window lets the peer write. */
    public static final int ALLOW_WRITE = 0x10;

    /** The data is copied when the request is posted; tokens are not checked, and the number of elements is not limited. */
    public static final int INLINE = 0x20;

    private NdOpFlags() {}
}
