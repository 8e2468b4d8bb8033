// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.lang.reflect.Method;

/** The mistake that the mutant makes now. Mutants run on one thread at a time. */
public final class Mistakes {

    private static final String NOWHERE = "";

    private static String place = NOWHERE;
    private static Mistake current = call -> Call.goOn();
    private static int paused;
    private static long made;

    private Mistakes() {}

    static void make(MutatedMethod method, Mistake mistake) {
        place = method.toString();
        current = mistake;
        made = 0;
        paused = 0;
    }

    /** From now on everything is right. */
    static void makeNone() {
        place = NOWHERE;
        current = call -> Call.goOn();
    }

    /** How often the method of the last mistake was called: never, and it could not be seen. */
    static long made() {
        return made;
    }

    static void pause() {
        paused++;
    }

    static void resume() {
        paused--;
    }

    /** Whether the method of that name makes a mistake when it is called now. */
    public static boolean isMadeBy(String method) {
        return method.equals(place) && paused == 0;
    }

    /** What {@link MistakeAdvice} does at the beginning of that method: null if the method is to run. */
    public static Object enter(Object self, Method method, Object[] arguments) throws ReflectiveOperationException {
        made++;
        Object answer = current.commit(new Call(self, method, arguments));
        return Call.isGoOn(answer) ? null : answer;
    }
}
