// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/**
 * Loads a copy of the engine, and of the programs that run on it, some methods of which can make mistakes. Values that cross to
 * the oracle (verbs, traces, packets, profiles) are those of everybody.
 */
final class MutantLoader extends ClassLoader {

    private static final List<String> COPIED = List.of(
            "dev.verbatim.cm.",
            "dev.verbatim.device.",
            "dev.verbatim.fabric.",
            "dev.verbatim.page.",
            "dev.verbatim.sim.",
            "dev.verbatim.testing.",
            "dev.verbatim.RcConnection",
            "dev.verbatim.UcConnection",
            "dev.verbatim.Verbatim",
            "dev.verbatim.cli.",
            "dev.verbatim.conformance.explore.",
            "dev.verbatim.conformance.scenario.",
            "dev.verbatim.conformance.oracle.RandomRequests",
            "dev.verbatim.conformance.oracle.RandomTraffic",
            "dev.verbatim.conformance.oracle.RandomWindows",
            "dev.verbatim.conformance.oracle.SimulatedTraffic",
            "dev.verbatim.conformance.oracle.DirectedTraffic",
            "dev.verbatim.conformance.oracle.UnreliableTraffic",
            "dev.verbatim.conformance.oracle.WindowTraffic",
            "dev.verbatim.conformance.windows.trial.");

    /** What was read once: many copies are made. */
    private static final Map<String, byte[]> ORIGINALS = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader original = MutantLoader.class.getClassLoader();

    private final ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(original);

    /** By class. */
    private final Map<String, Set<MutatedMethod>> methods;

    /** In the copy, these methods ask {@link Mistakes} first. */
    MutantLoader(Stream<MutatedMethod> methods) {
        super(MutantLoader.class.getClassLoader());
        this.methods = methods.collect(Collectors.groupingBy(MutatedMethod::binaryClassName, Collectors.toSet()));
        // Here, since a class that cannot be loaded later fails a step of the device, which looks like a mistake that
        // was found.
        this.methods.keySet().forEach(this::requireMethods);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (COPIED.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = methods.containsKey(name) ? mutated(name) : bytesOf(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytesOf(String name) throws ClassNotFoundException {
        byte[] known = ORIGINALS.get(name);
        if (known == null) {
            known = readBytesOf(name);
            ORIGINALS.put(name, known);
        }
        return known;
    }

    private byte[] readBytesOf(String name) throws ClassNotFoundException {
        try (InputStream in = original.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void requireMethods(String className) {
        TypeDescription type = describe(className);
        for (MutatedMethod mutated : methods.get(className)) {
            if (type.getDeclaredMethods().filter(matcher(mutated)).size() != 1) {
                throw new IllegalArgumentException(
                        "not one method " + mutated + " in the engine, which the mutation has to follow");
            }
        }
    }

    private TypeDescription describe(String className) {
        return TypePool.Default.of(locator).describe(className).resolve();
    }

    private static ElementMatcher.Junction<MethodDescription> matcher(MutatedMethod mutated) {
        return ElementMatchers.<MethodDescription>named(mutated.name()).and(takesArguments(mutated.parameters()));
    }

    private byte[] mutated(String className) {
        DynamicType.Builder<?> mutant = new ByteBuddy().redefine(describe(className), locator);
        for (MutatedMethod mutated : methods.get(className)) {
            mutant = mutant.visit(Advice.withCustomMapping()
                    .bind(MistakeAdvice.Name.class, mutated.toString())
                    .to(MistakeAdvice.class)
                    .on(matcher(mutated)));
        }
        return mutant.make().getBytes();
    }
}
