// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Simulation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link SimulatedTest} brings with it. */
public final class SimulatedTestExtension implements InvocationInterceptor, ParameterResolver {

    /** For JUnit. */
    public SimulatedTestExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TestBody.isOurs(parameter.getParameter().getType());
    }

    /** Null, since each run has one of its own. */
    @Override
    @SuppressWarnings("NullAway") // JUnit permits it
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (!AnnotationSupport.isAnnotated(parameter.getDeclaringExecutable(), SimulatedTest.class)) {
            throw new ParameterResolutionException(
                    parameter.getDeclaringExecutable().getName() + " is called once and not in each run, so it has no "
                            + parameter.getParameter().getType().getSimpleName()
                            + "; do this in the method with @SimulatedTest");
        }
        return null;
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
        invocation.skip();
        Settings settings = settings(context);
        TestBody body = new TestBody(
                method.getExecutable(), context.getRequiredTestInstance(), new ArrayList<>(method.getArguments()));
        if (settings.isSimulated()) {
            SimulatedRuns runs = new SimulatedRuns(settings, body);
            context.publishReportEntry("runs", runs.run());
            runs.notes().forEach(note -> context.publishReportEntry("note", note.toString()));
        } else {
            runInProcess(settings, body);
        }
    }

    private static Settings settings(ExtensionContext context) {
        SimulatedTest annotation = AnnotationSupport.findAnnotation(
                        context.getRequiredTestMethod(), SimulatedTest.class)
                .orElseThrow();
        try {
            return new Settings(annotation);
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(
                    context.getDisplayName() + " has an annotation that means nothing: " + e.getMessage(), e);
        }
    }

    private static void runInProcess(Settings settings, TestBody body) {
        Story story = new Story();
        Sanitizer sanitizer = Sanitizer.withSites();
        try (Verbatim rdma =
                Verbatim.inProcess().profile(settings.options().profile()).tap(story)) {
            if (settings.sanitizes()) {
                rdma.sanitize(sanitizer);
            }
            body.call(type -> {
                if (type == Sanitizer.class) {
                    return sanitizer;
                }
                if (type == Simulation.class) {
                    throw new ExtensionConfigurationException(
                            "fabric=" + Settings.IN_PROCESS + " is no simulation; take a parameter of type Verbatim");
                }
                return rdma;
            });
            if (settings.checksLeaks()) {
                LeakCheck.check(rdma.devices());
            }
        } catch (RuntimeException | Error e) {
            throw new SimulatedTestFailure(
                    "it failed in real time, where nothing repeats it: " + e + "\n" + story, "", story.toString(), e);
        }
    }
}
