// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.testing.LongTest;
import java.lang.reflect.Constructor;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * How many calls one operation takes, for the reader who follows it; the compiler hides most of them. The bounds are what stands
 * today and a little more: whoever makes a way shorter lowers its bound. {@code -Dverbatim.path.methods=20} prints the methods that are entered most,
 * {@code -Dverbatim.path.sequence=true} the whole way.
 */
@LongTest
final class LengthOfPathTest {

    @Test
    void writeFromPostToCompletionOnTheFastPath() throws ReflectiveOperationException {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        CallCount.Counted counted = counted(CountedOperations.Write.class);
        assertThat(counted.calls()).isBetween(100, 300);
        assertThat(counted.moves()).isBetween(100, 300);
    }

    @Test
    void writeFromPostToAcknowledgement() throws ReflectiveOperationException {
        CallCount.Counted counted = counted(CountedOperations.WriteAsPacket.class);
        assertThat(counted.calls()).isBetween(100, 450);
        assertThat(counted.moves()).isBetween(100, 450);
    }

    @Test
    void bindFromPostToCompletion() throws ReflectiveOperationException {
        assertThat(counted(CountedOperations.Bind.class).calls()).isBetween(50, 300);
    }

    @Test
    void connectionFromAddressToEstablishedAtBothEnds() throws ReflectiveOperationException {
        assertThat(counted(CountedOperations.Connection.class).calls()).isBetween(500, 4_000);
    }

    private static CallCount.Counted counted(Class<? extends Supplier<CallCount.Counted>> operation)
            throws ReflectiveOperationException {
        Class<?> copy = Class.forName(operation.getName(), true, new CountingLoader());
        Constructor<?> constructor = copy.getDeclaredConstructor();
        constructor.setAccessible(true);
        CallCount.Counted counted = (CallCount.Counted) ((Supplier<?>) constructor.newInstance()).get();
        System.out.println(operation.getSimpleName() + ": " + counted);
        counted.methods().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(Integer.getInteger("verbatim.path.methods", 0))
                .forEach(entry -> System.out.println("  " + entry.getValue() + " " + entry.getKey()));
        if (Boolean.getBoolean("verbatim.path.sequence")) {
            counted.sequence().forEach(System.out::println);
        }
        return counted;
    }
}
