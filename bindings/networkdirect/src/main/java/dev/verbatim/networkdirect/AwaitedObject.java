// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.function.Supplier;

/**
 * An object that has requests pending, as the thread that waits for them uses it.
 *
 * @param dispatcher gives where its events come from
 * @param check looks for what its requests wait for and no event announces
 * @param pending says which requests wait
 */
record AwaitedObject(Supplier<Dispatcher> dispatcher, Runnable check, Supplier<String> pending) {}
