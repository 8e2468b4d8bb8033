// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.Fabric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserCodeTest {

    private static StackTraceElement frame(String type) {
        return new StackTraceElement(type, "called", type.substring(type.lastIndexOf('.') + 1) + ".java", 7);
    }

    private static String line(String... types) {
        return UserCode.line(Stream.of(types).map(UserCodeTest::frame).toArray(StackTraceElement[]::new));
    }

    private static String here() {
        StackTraceElement caller = new Throwable().getStackTrace()[1];
        return caller.getFileName() + ":" + caller.getLineNumber();
    }

    @Test
    void classesOfThisDeviceTheJdkAndTestsAreNoPrograms() {
        assertThat(List.of(UserCode.class, RcPair.class, Fabric.class, String.class, ExtensionContext.class))
                .allSatisfy(type -> assertThat(UserCode.of(type)).isEqualTo(UserCode.LIBRARY));
        assertThat(UserCode.of(UserCodeTest.class)).isEqualTo(UserCode.PROGRAM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Ring",
                "org.acme.Ring",
                "javafoo.Ring",
                "org.eclipse.store.Ring",
                "org.junitpioneer.Ring",
                "dev.verbatim.Ring",
                "dev.verbatim.transport.Ring",
                "dev.verbatim.junit.Ring",
                "org.springframework.core.task.Ring"
            })
    void anyOtherClassIsTheProgramsWhateverItsPackageIsCalled(String type) {
        assertThat(line("dev.verbatim.RcPair", type, "org.acme.Main")).isEqualTo("Ring.java:7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.junit.jupiter.engine.execution.MethodInvocation",
                "org.junit.platform.launcher.core.DefaultLauncher",
                "org.junit.runners.ParentRunner",
                "org.testng.TestRunner",
                "org.apache.maven.surefire.junitplatform.LauncherAdapter",
                "org.gradle.api.internal.tasks.testing.SuiteTestClassProcessor",
                "com.intellij.rt.junit.JUnitStarter",
                "org.eclipse.jdt.internal.junit.runner.RemoteTestRunner"
            })
    void whoCallsTheRunnerOfTestsIsNoPlace(String runner) {
        assertThat(line("dev.verbatim.RcPair", "java.lang.reflect.Method", runner, "org.acme.RunsAllTests"))
                .isEmpty();
        assertThat(line("dev.verbatim.RcPair", "org.acme.Ring", runner)).isEqualTo("Ring.java:7");
    }

    @ParameterizedTest
    @CsvSource({"org.junit.jupiter.api.AssertTimeout", "org.assertj.core.api.Assertions", "kotlin.io.CloseableKt"})
    void whatTheProgramPassesItsCodeToIsPassedOver(String library) {
        assertThat(line("dev.verbatim.RcPair", library, "org.acme.Ring")).isEqualTo("Ring.java:7");
        assertThat(line("dev.verbatim.RcPair", library, "java.lang.Thread")).isEmpty();
    }

    @Test
    void callIsToldWithTheLineOfTheProgram() {
        assertThat(UserCode.call() + "|" + here()).matches("call at (.*)\\|\\1");
        Supplier<String> lambda = () -> UserCode.call() + "|" + here();
        assertThat(lambda.get()).matches("call at (.*)\\|\\1");
    }

    @Test
    void methodReferenceThatAnotherCallsIsAtTheLineThatCallsTheOther() {
        Supplier<String> call = UserCode::call;
        assertThat(Optional.<String>empty().orElseGet(call) + "|" + here()).matches("call at (.*)\\|\\1");
        assertThat(assertTimeout(Duration.ofMinutes(1), call::get) + "|" + here())
                .matches("call at (.*)\\|\\1");
    }

    /** As a close that a framework calls, or a wait that is all that a thread does. */
    @Test
    void threadThatRunsNoCodeOfTheProgramIsNowhere() throws Exception {
        FutureTask<String> task = new FutureTask<>(UserCode::call);
        Thread thread = new Thread(task);
        thread.start();
        assertThat(task.get()).isEmpty();
        thread.join();
    }
}
