// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import dev.verbatim.trace.TraceEvent;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** What an event says apart from its time: by its components, since rendering every event would take longer than the run. */
final class EventShape {

    private static final String TIME = "timeNanos";
    private static final Map<Class<?>, Method[]> COMPONENTS = new ConcurrentHashMap<>();

    private EventShape() {}

    static int hash(TraceEvent event) {
        int hash = event.getClass().getName().hashCode();
        for (Method component : componentsOf(event)) {
            hash = 31 * hash + Objects.hashCode(value(event, component));
        }
        return hash;
    }

    static boolean areAlike(TraceEvent one, TraceEvent other) {
        if (!one.getClass().equals(other.getClass())) {
            return false;
        }
        for (Method component : componentsOf(one)) {
            if (!Objects.equals(value(one, component), value(other, component))) {
                return false;
            }
        }
        return true;
    }

    private static Method[] componentsOf(TraceEvent event) {
        return COMPONENTS.computeIfAbsent(
                event.getClass(),
                type -> Arrays.stream(Objects.requireNonNull(type.getRecordComponents()))
                        .filter(component -> !component.getName().equals(TIME))
                        .map(RecordComponent::getAccessor)
                        .toArray(Method[]::new));
    }

    private static Object value(TraceEvent event, Method component) {
        try {
            Object value = component.invoke(event);
            return value == null ? "" : value;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
