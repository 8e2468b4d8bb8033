// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where in a program something is called: the innermost frame that is not the device's own code. */
final class Sites {

    private static final String OURS = "dev.verbatim.";
    private static final String NETTY_FABRIC = OURS + "transport.netty.NettyFabric";

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final ClassValue<Boolean> IS_OURS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.getName().startsWith(OURS) && (isBeside(type, Sites.class) || isOfCarrier(type));
        }
    };

    private Sites() {}

    private static boolean isBeside(Class<?> type, Class<?> other) {
        return Objects.equals(sourceOf(type), sourceOf(other));
    }

    /** Carriers of ours lie elsewhere; tests and programs may have packages of the same names. */
    private static boolean isOfCarrier(Class<?> type) {
        try {
            return type.getName().startsWith(OURS + "transport.")
                    && isBeside(type, Class.forName(NETTY_FABRIC, false, type.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A place of code. Methods of one name and class are not told apart. */
    private record Place(Class<?> type, String method, int byteCodeIndex) {}

    private static final int MOST_KNOWN = 1 << 14;

    private static final Map<Place, String> KNOWN = new ConcurrentHashMap<>();

    /** As {@code File.java:17}. */
    static String ofCaller() {
        return WALKER.walk(Sites::innermost);
    }

    private static String innermost(Stream<StackFrame> frames) {
        Iterator<StackFrame> each = frames.iterator();
        while (each.hasNext()) {
            StackFrame frame = each.next();
            if (!IS_OURS.get(frame.getDeclaringClass())) {
                return of(frame);
            }
        }
        return "";
    }

    private static String of(StackFrame frame) {
        Place place = new Place(frame.getDeclaringClass(), frame.getMethodName(), frame.getByteCodeIndex());
        String known = KNOWN.get(place);
        if (known == null) {
            known = frame.getFileName() + ":" + frame.getLineNumber();
            if (KNOWN.size() < MOST_KNOWN && isOnly(place)) {
                KNOWN.put(place, known);
            }
        }
        return known;
    }

    private static boolean isOnly(Place place) {
        try {
            return Stream.of(place.type.getDeclaredMethods())
                            .filter(method -> method.getName().equals(place.method))
                            .count()
                    == 1;
        } catch (LinkageError e) {
            return false;
        }
    }

    private static @Nullable Object sourceOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? null : source.getLocation().toString();
    }
}
