// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import java.lang.reflect.Parameter;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link OnFabric} brings with it; registered by itself, it does what that does without values. */
public final class VerbatimExtension implements ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(VerbatimExtension.class);

    /** Has the annotation without values. */
    @OnFabric
    private static final class Plain {}

    /** For JUnit. */
    public VerbatimExtension() {}

    /** Those of a {@link SimulatedTest} are filled in each run. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Verbatim.class
                && !AnnotationSupport.isAnnotated(context.getTestMethod(), SimulatedTest.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(parameter.getDeclaringExecutable()
                    + " is called outside of tests, and each test has a Verbatim of its own; take it in the test or in"
                    + " @BeforeEach");
        }
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestDoors doors = store.get(TestDoors.class, TestDoors.class);
        if (doors == null) {
            doors = open(context);
            store.put(TestDoors.class, doors);
        }
        return doors.get(position(parameter));
    }

    private static TestDoors open(ExtensionContext context) {
        OnFabric settings = settings(context);
        try {
            return new TestDoors(settings, context.getRequiredTestClass().getClassLoader());
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(
                    context.getDisplayName() + " has an annotation that means nothing: " + e.getMessage(), e);
        }
    }

    /** Of the test, or of its class, or of the class around that. */
    private static OnFabric settings(ExtensionContext context) {
        Optional<OnFabric> found = AnnotationSupport.findAnnotation(context.getTestMethod(), OnFabric.class);
        Class<?> type = context.getRequiredTestClass();
        while (found.isEmpty() && type != null) {
            found = AnnotationSupport.findAnnotation(type, OnFabric.class);
            type = type.getEnclosingClass();
        }
        return found.orElseGet(() -> Plain.class.getAnnotation(OnFabric.class));
    }

    /** Which one of its type it is, from 0. */
    private static int position(ParameterContext parameter) {
        Parameter[] all = parameter.getDeclaringExecutable().getParameters();
        int position = 0;
        for (int i = 0; i < parameter.getIndex(); i++) {
            if (all[i].getType() == Verbatim.class) {
                position++;
            }
        }
        return position;
    }

    /** After the methods with {@code @AfterEach}; if the test failed, JUnit adds what this throws to its failure. */
    @Override
    public void afterEach(ExtensionContext context) {
        TestDoors doors = context.getStore(NAMESPACE).remove(TestDoors.class, TestDoors.class);
        if (doors != null) {
            doors.close();
        }
    }
}
