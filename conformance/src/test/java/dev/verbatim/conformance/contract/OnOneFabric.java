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
 * The tests of the class are about what one device decides: in a build they run within one JVM, watched and unwatched, with
 * {@code -Dverbatim.ci} on each {@link FabricKind}. Otherwise like {@link OnEveryFabric}.
 */
@ParameterizedClass
@MethodSource("dev.verbatim.conformance.contract.FabricKind#chosenForOneDevice")
@Timeout(600)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnOneFabric {}
