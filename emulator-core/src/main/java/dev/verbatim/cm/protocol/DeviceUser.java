// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** Something that the connection manager tells when its device is closed or fails. */
public interface DeviceUser {

    /** The device is gone. On the lane. */
    void deviceClosed();
}
