// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks through everything that a refusal holds, fields of fields too. */
public final class Constants {

    private static final Set<Class<?>> CONSTANT = Set.of(
            String.class,
            Integer.class,
            Long.class,
            Short.class,
            Byte.class,
            Boolean.class,
            Character.class,
            Double.class,
            Gid.class);

    private Constants() {}

    /** Fails if the refusal leads to anything that may change, such as an object of a device. */
    public static void assertOnly(Refusal refusal) {
        String found = somethingElse(refusal);
        if (found != null) {
            throw new AssertionError("[" + refusal + "] holds " + found);
        }
    }

    private static @Nullable String somethingElse(@Nullable Object held) {
        if (held == null || CONSTANT.contains(held.getClass()) || held instanceof Enum<?>) {
            return null;
        }
        if (held instanceof Object[] values) {
            for (Object value : values) {
                String found = somethingElse(value);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        return held instanceof Refusal ? somethingElseIn(held) : held.getClass() + " " + held;
    }

    private static @Nullable String somethingElseIn(Object refusal) {
        try {
            for (Field field : Refusal.class.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    String found = somethingElse(field.get(refusal));
                    if (found != null) {
                        return found;
                    }
                }
            }
            return null;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
