// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.security.CodeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where in a program something is called: the innermost frame that is not the device's own code. */
final class Sites {

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final ClassValue<Boolean> IS_OURS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.getName().startsWith("dev.verbatim.") && Objects.equals(sourceOf(type), sourceOf(Sites.class));
        }
    };

    private Sites() {}

    /** As {@code File.java:17}. */
    static String ofCaller() {
        return WALKER.walk(frames -> frames.filter(frame -> !IS_OURS.get(frame.getDeclaringClass()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    private static @Nullable Object sourceOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? null : source.getLocation().toString();
    }
}
