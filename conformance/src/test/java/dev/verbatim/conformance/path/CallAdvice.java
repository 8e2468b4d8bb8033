// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.path;

import net.bytebuddy.asm.Advice;

/** Code that is put around each body. A constructor cannot be left by an exception without ending the count of its thread. */
final class CallAdvice {

    private CallAdvice() {}

    static final class OfMethod {

        private OfMethod() {}

        @Advice.OnMethodEnter
        static void enter(@Owner String owner, @Advice.Origin("#t.#m") String method) {
            CallCount.enter(owner, method);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            CallCount.leave();
        }
    }

    static final class OfConstructor {

        private OfConstructor() {}

        @Advice.OnMethodEnter
        static void enter(@Owner String owner, @Advice.Origin("#t.#m") String method) {
            CallCount.enter(owner, method);
        }

        @Advice.OnMethodExit
        static void exit() {
            CallCount.leave();
        }
    }

    /** The name of the top-level class. */
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Owner {}
}
