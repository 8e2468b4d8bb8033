// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of records, and of what they may have as components: maps, collections, strings, numbers and booleans. */
final class Json {

    private static final String SUFFIX = "Line";

    private Json() {}

    /** In one line. */
    static String text(Object value) {
        try {
            return value instanceof Written written ? written.json().get() : JSON.std.asString(plain(value));
        } catch (IOException e) {
            throw new IllegalStateException("cannot write " + value, e);
        }
    }

    /** The same without records. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Record data) {
            return members(data);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((name, each) -> plain.put(String.valueOf(name), plain(each)));
            return plain;
        }
        return value instanceof Collection<?> all
                ? all.stream().map(Json::plain).toList()
                : value;
    }

    private static Map<String, Object> members(Record data) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (data instanceof Line) {
            String name = data.getClass().getSimpleName();
            name = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
            members.put("kind", Character.toLowerCase(name.charAt(0)) + name.substring(1));
        }
        for (RecordComponent component : data.getClass().getRecordComponents()) {
            Object value = plain(value(data, component));
            if (value != null) {
                members.put(component.getName(), value);
            }
        }
        return members;
    }

    private static @Nullable Object value(Record data, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(data);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component + " of " + data, e);
        }
    }
}
