// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Says of switches which of them are not as they are by default. */
final class SwitchText {

    private SwitchText() {}

    /** One line such as {@code WindowSwitches[atomics=NONE]}. */
    static String of(String name, Object switches, Object defaults) {
        List<String> others = new ArrayList<>();
        try {
            for (Field field : switches.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    Object value = field.get(switches);
                    if (!String.valueOf(value).equals(String.valueOf(field.get(defaults)))) {
                        others.add(field.getName() + "=" + value);
                    }
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("fields of this package can be read", e);
        }
        return name + others;
    }
}
