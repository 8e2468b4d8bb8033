// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LongWaitPlaceTest {

    private final Logger logger = Logger.getLogger(LongWait.class.getName());
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
    }

    @Test
    void placeIsTheLineOfTheProgram() {
        LongWait.log(() -> "for nothing");
        assertThat(logged)
                .singleElement()
                .asString()
                .matches("thread .* in log at LongWaitPlaceTest.java:[0-9]+: for nothing");
    }

    @Test
    void threadWithoutALineOfTheProgramHasNoPlace() {
        Supplier<String> what = () -> "for nothing";
        CompletableFuture.supplyAsync(() -> what).thenAcceptAsync(LongWait::log).join();
        assertThat(logged).singleElement().asString().matches("thread [^ ]* has waited for 2 s: for nothing");
    }
}
