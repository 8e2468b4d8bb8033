// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * Who took steps without anybody else having taken one. A program that waits in a loop of its own, such as one of READs, can always take
 * the next step; so that others do not wait for ever where nothing is chosen, it comes behind them after some steps.
 */
final class StepsInARow {

    /** So many steps one takes at most before those that can take one as well. */
    static final int MOST = 100;

    /** So many waits, or so many times as many verbs, come before programs where the opening thread goes on all the time. */
    private static final int MOST_OF_OPENER = 100 * MOST;

    private static final int OPENER = -1;

    private int who = OPENER;
    private int steps;

    /** Which of the programs comes first; behind the last comes the first that was added. */
    private int first;

    /** That program takes a step. */
    void takes(int program) {
        steps = who == program ? steps + 1 : 1;
        who = program;
    }

    /** The thread that opened the simulation takes so many; whether it is time that programs take some. */
    boolean openerTakes(int more) {
        steps = who == OPENER ? steps + more : more;
        who = OPENER;
        boolean isTime = steps > MOST_OF_OPENER;
        steps = isTime ? 0 : steps;
        return isTime;
    }

    /** Whether the program has taken as many as it may before others. */
    boolean isTooLong(int program) {
        return who == program && steps >= MOST;
    }

    /** Something else was waited for instead. */
    void clear() {
        steps = 0;
    }

    /** The program comes last from now on. */
    void putLast(int program) {
        first = program + 1;
    }

    /** Whether the program comes before those that were added before the one that is first. */
    boolean isFirst(int program) {
        return program >= first;
    }

    @Override
    public String toString() {
        return steps + " steps in a row of " + (who == OPENER ? "the opening thread" : "program " + who);
    }
}
