// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

/** Where a device may do otherwise than is usual (section M). */
public enum Deviation {
    /** LOCAL_INV of a Free window succeeds (MW-82). */
    FREE_WINDOW_INVALIDATES,
    /** LOCAL_INV fails with LOC_QP_OP_ERR (MW-81). */
    INVALIDATION_ENDS_LOC_QP_OP_ERR,
    /** Any queue pair of the window's domain invalidates (K.3). */
    ANY_QP_INVALIDATES,
    /** Type 2 cannot be bound with the key that it had last (MW-33). */
    NO_SAME_KEY_REBIND,
    /** A bind of type 1 must go out from the key that the device has (MW-41). */
    CURRENT_KEY_IS_COMPARED,
    /** Posting BIND_MW changes the rkey of the window's object (MW-31). */
    BIND_UPDATES_RKEY,
    /** An unsignaled bind that fails has no completion (B.4). */
    UNSIGNALED_BIND_FAILS_UNTOLD,
    /** Windows can be bound to zero-based regions (MW-14, MW-49). */
    ZERO_BASED_REGIONS,
    /** The range is compared with that of the region when the window is used, not when it is bound (MW-57). */
    RANGE_IS_CHECKED_LATE,
    /** Windows cannot be zero-based (MW-43). */
    NO_ZERO_BASED,
    /** MW_BIND may be among the rights of windows (MW-43). */
    MW_BIND_IS_A_RIGHT,
    /** Atomics do not work through windows, which can be bound with the right all the same (MW-112). */
    NO_ATOMICS,
    /** Bindings outlive RESET of their queue pair (MW-94). */
    KEEPS_OVER_RESET
}
