// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One part of a job that is divided among processes: whatever has the number {@code number - 1} modulo {@code of}.
 *
 * @param number from 1
 */
record Shard(int number, int of) {

    /** Set by Kubernetes for the pods of an Indexed Job; from 0. */
    static final String INDEX = "JOB_COMPLETION_INDEX";

    /** How many parts there are, where the index says which. */
    static final String COUNT = "VERBATIM_SHARDS";

    Shard {
        if (number < 1 || number > of) {
            throw new IllegalArgumentException(
                    "--shard=" + number + "/" + of + " is not of the form I/N with 1 <= I <= N, such as 2/8");
        }
    }

    /**
     * That of an option, else that of the environment; null if neither has one.
     *
     * @throws IllegalArgumentException if what is there is no part
     */
    static @Nullable Shard of(@Nullable String option, Map<String, String> environment) {
        if (option != null) {
            int slash = option.indexOf('/');
            return new Shard(
                    number("--shard", option.substring(0, Math.max(slash, 0))),
                    number("--shard", option.substring(slash + 1)));
        }
        String count = environment.get(COUNT);
        if (count == null) {
            return null;
        }
        String index = environment.getOrDefault(INDEX, "");
        return new Shard(number(INDEX, index) + 1, number(COUNT, count));
    }

    private static int number(String name, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + digits + "' of " + name + " is no number; specify a part such as 2/8", e);
        }
    }

    /** Whether a unit of work is in this part. */
    boolean has(long unit) {
        return unit % of == number - 1;
    }

    /** Those of the units that are in this part, in their order. */
    <T> List<T> of(List<T> units) {
        return IntStream.range(0, units.size())
                .filter(this::has)
                .mapToObj(units::get)
                .toList();
    }

    /** How many of so many units this part has. */
    long share(long units) {
        return (units - number + of) / of;
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }
}
