// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.BitSet;

/** Which report is left out at present, and which are made. Shared by the tests and the copies of {@link ReportLoader}. */
public final class Reports {

    private static final int NONE = -1;

    private static final MethodHandle NOT = MethodHandles.guardWithTest(
            MethodHandles.identity(boolean.class),
            MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, boolean.class),
            MethodHandles.dropArguments(MethodHandles.constant(boolean.class, true), 0, boolean.class));

    private static final BitSet MADE = new BitSet();
    private static int leftOut = NONE;

    private Reports() {}

    /** The reports that are made while the program runs. */
    static BitSet during(Runnable program) {
        MADE.clear();
        program.run();
        return (BitSet) MADE.clone();
    }

    /** Runs the program without the report. */
    static void without(int report, Runnable program) {
        leftOut = report;
        try {
            program.run();
        } finally {
            leftOut = NONE;
        }
    }

    /** Whether the report is made, asks the place where it would be. */
    public static boolean isMade(int report) {
        MADE.set(report);
        return report != leftOut;
    }

    /**
     * Links such a place: the report is made, or nothing is done and the object that gets reports is returned. What returns a boolean is
     * asked, and returns the opposite.
     */
    public static CallSite link(
            MethodHandles.Lookup caller, String name, MethodType type, MethodHandle report, int number)
            throws ReflectiveOperationException {
        MethodHandle isMade = MethodHandles.lookup()
                .findStatic(Reports.class, "isMade", MethodType.methodType(boolean.class, int.class));
        MethodHandle skip;
        if (type.returnType() == void.class) {
            skip = MethodHandles.empty(type);
        } else if (type.returnType() == boolean.class) {
            skip = MethodHandles.filterReturnValue(report.asType(type), NOT);
        } else {
            skip = MethodHandles.dropArguments(
                            MethodHandles.identity(type.parameterType(0)),
                            1,
                            type.parameterList().subList(1, type.parameterCount()))
                    .asType(type);
        }
        return new ConstantCallSite(MethodHandles.guardWithTest(
                MethodHandles.insertArguments(isMade, 0, number), report.asType(type), skip));
    }
}
