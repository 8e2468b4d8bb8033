// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests of the class run once on each {@link FabricKind}, in a build on four of them, each within a minute unless the class has its
 * own timeout.
 */
@ParameterizedClass
@MethodSource("dev.verbatim.conformance.contract.FabricKind#chosen")
@Timeout(600)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnEveryFabric {}
