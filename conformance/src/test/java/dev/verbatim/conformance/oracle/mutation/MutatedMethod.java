// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method of a device that makes a mistake.
 *
 * @param className its class, without the package {@code dev.verbatim.device}
 * @param name of which the class has one with so many parameters
 */
record MutatedMethod(String className, String name, int parameters) {

    private static final Pattern TEXT = Pattern.compile("(.+)\\.(\\w+)/(\\d+)");

    /** As written: {@code memory.KeyTable.fresh/1} has one parameter. */
    static MutatedMethod of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not package.Class.method/parameters: " + text);
        }
        return new MutatedMethod(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3)));
    }

    String binaryClassName() {
        return "dev.verbatim.device." + className;
    }

    @Override
    public String toString() {
        return className + "." + name + "/" + parameters;
    }
}
