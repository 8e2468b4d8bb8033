// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** An object that the connection manager notifies when its device is closed or fails. */
public interface DeviceUser {

    /** The device is gone. On the lane. */
    void deviceClosed();
}
