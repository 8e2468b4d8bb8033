// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** An object that the connection manager notifies when its device is closed or fails. */
public interface DeviceUser {

    /** The program ends what it has with peers, which are told; the device is still there. On the lane. */
    default void programEnds() {}

    /** The device is gone. On the lane. */
    void deviceClosed();
}
