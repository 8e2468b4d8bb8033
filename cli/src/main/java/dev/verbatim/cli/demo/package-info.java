// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The demo: two devices that connect and use each operation once, step by step, as {@code demo}, {@code serve} and
 * {@code connect} show it. The steps are data ({@link dev.verbatim.cli.demo.DemoScript}); a side is in this JVM
 * or another ({@link dev.verbatim.cli.demo.DemoSide}). It sees the public packages of the device and the
 * narration. Begin with {@link dev.verbatim.cli.demo.DemoRun}.
 */
@NullMarked
package dev.verbatim.cli.demo;

import org.jspecify.annotations.NullMarked;
