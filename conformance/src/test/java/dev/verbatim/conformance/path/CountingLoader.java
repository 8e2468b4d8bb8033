// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.path;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;

/** Loads a copy of everything of ours, in which each method and constructor says that it is entered and left. */
final class CountingLoader extends ClassLoader {

    private static final String OURS = "dev.verbatim.";
    private static final String COUNT = CallCount.class.getName();

    private static final ClassFileLocator LOCATOR =
            ClassFileLocator.ForClassLoader.of(CountingLoader.class.getClassLoader());
    private static final TypePool TYPES = TypePool.Default.of(LOCATOR);

    /** Each is made once, however many loaders define it. */
    private static final Map<String, byte[]> MADE = new ConcurrentHashMap<>();

    CountingLoader() {
        super(CountingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.startsWith(COUNT)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = MADE.computeIfAbsent(name, CountingLoader::counted);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private static byte[] counted(String name) {
        TypeDescription type = TYPES.describe(name).resolve();
        Advice.WithCustomMapping advice = Advice.withCustomMapping().bind(CallAdvice.Owner.class, ownerOf(name));
        return new ByteBuddy()
                .redefine(type, LOCATOR)
                .visit(advice.to(CallAdvice.OfMethod.class)
                        .on(isMethod().and(not(isAbstract())).and(not(isNative()))))
                .visit(advice.to(CallAdvice.OfConstructor.class).on(isConstructor()))
                .make()
                .getBytes();
    }

    /** Nested classes count with the one that they stand in. */
    private static String ownerOf(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
