// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

/** How one side comes to its connection, at first and again after an error. */
interface ConnectMethod {

    /** Does what can be done before the other side does anything. */
    void begin();

    /** Returns when this side is connected; ends the connection that there was, if there was one. */
    void complete();
}
