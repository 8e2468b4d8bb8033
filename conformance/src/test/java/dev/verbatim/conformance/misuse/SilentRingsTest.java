// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.Hosts.WORD;
import static dev.verbatim.conformance.misuse.SystemRuns.accused;
import static dev.verbatim.conformance.misuse.SystemRuns.found;
import static dev.verbatim.conformance.misuse.SystemRuns.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.misuse.Hosts.Host;
import dev.verbatim.conformance.misuse.Hosts.Way;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.testing.LongTest;
import org.junit.jupiter.api.Test;

/** Rings and credits as real systems have them, of which nothing is reported; each with a mistake in it is found. */
class SilentRingsTest {

    /** How the consumer of a ring says that it has read an entry. */
    private enum Credit {
        WRITE,
        UNSIGNALED_WRITE,
        INLINE_WRITE,
        WRITE_OF_ROTATING_SOURCE,
        ATOMIC_WRITE,
        FETCH_ADD,
        SEND,
        STORE_THAT_IS_READ
    }

    private static final int SLOTS = 2;
    private static final int ENTRIES = 7;
    private static final int HEAD = 512;
    private static final int SCRATCH = 1024;

    private static void ring(Hosts hosts, Credit credit, boolean right) {
        for (int i = 0; i < ENTRIES; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("a").to("b").receiveNothing(i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < ENTRIES; i++) {
                long least = i - SLOTS + 1;
                if (least > 0) {
                    switch (credit) {
                        case SEND -> way.receivedOne();
                        case STORE_THAT_IS_READ -> {
                            while (way.read(HEAD, SCRATCH) < least) {
                                // It is full.
                            }
                        }
                        default -> host.until(HEAD, least);
                    }
                }
                int slot = i % SLOTS * 2 * WORD;
                host.store(slot, 100 + i);
                host.store(slot + WORD, 200 + i);
                way.doing(way.telling(slot, slot, 2 * WORD, i));
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < ENTRIES; i++) {
                way.receivedOne();
                int slot = i % SLOTS * 2 * WORD;
                if (!right) {
                    gives(way, credit, i);
                }
                assertThat(!right || host.load(slot) == 100 + i).isTrue();
                assertThat(host.load(slot + WORD) == 200 + i || !right).isTrue();
                if (right) {
                    gives(way, credit, i);
                }
            }
        });
    }

    private static void gives(Way way, Credit credit, int entry) {
        Host host = way.own();
        long head = entry + 1;
        int place = credit == Credit.WRITE_OF_ROTATING_SOURCE ? SCRATCH + entry * WORD : HEAD;
        if (credit != Credit.SEND && credit != Credit.FETCH_ADD) {
            host.store(place, head);
        }
        switch (credit) {
            case WRITE -> way.doing(way.writing(place, HEAD, WORD));
            case INLINE_WRITE -> way.inline(way.writing(place, HEAD, WORD).unsignaled());
            case UNSIGNALED_WRITE -> {
                way.silently(way.writing(place, HEAD, WORD));
                way.doing(way.writing(SCRATCH, SCRATCH, WORD));
            }
            case WRITE_OF_ROTATING_SOURCE -> way.silently(way.writing(place, HEAD, WORD));
            case ATOMIC_WRITE -> way.doing(way.settingWord(place, HEAD));
            case FETCH_ADD -> way.doing(way.adding(HEAD, 1, SCRATCH));
            case SEND -> way.doing(way.sending(0, 0));
            case STORE_THAT_IS_READ -> {}
        }
    }

    @Test
    @LongTest
    void ringWithCredits() {
        for (Credit credit : Credit.values()) {
            assertThat(found(false, hosts -> ring(hosts, credit, true), "a", "b"))
                    .as(credit.toString())
                    .isEmpty();
            accused(Mistake.S4, hosts -> ring(hosts, credit, false), "a", "b");
        }
    }

    /** The consumer gives credits for every second entry only, and reads the doorbell, which is an ATOMIC_WRITE. */
    private static void ringWithDoorbell(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < 2 * ENTRIES; i++) {
                host.until(HEAD, i - 2 * SLOTS + 1);
                int slot = i % (2 * SLOTS) * 2 * WORD;
                host.store(slot, 100 + i);
                way.silently(way.writing(slot, slot, 2 * WORD));
                host.store(HEAD + WORD, i + 1);
                way.doing(
                        right
                                ? way.settingWord(HEAD + WORD, HEAD + WORD)
                                : way.writing(HEAD + WORD, HEAD + WORD, WORD));
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            int read = 0;
            while (read < 2 * ENTRIES) {
                long tail = host.until(HEAD + WORD, read + 1);
                while (read < tail) {
                    long entry = host.load(read % (2 * SLOTS) * 2 * WORD);
                    assertThat(!right || entry == 100 + read).isTrue();
                    read++;
                    if (read % 2 == 0) {
                        host.store(HEAD, read);
                        way.doing(way.writing(HEAD, HEAD, WORD));
                    }
                }
            }
        });
    }

    @Test
    void ringWithDoorbellAndLazyCredits() {
        silent(hosts -> ringWithDoorbell(hosts, true), "a", "b");
        accused(Mistake.S6, hosts -> ringWithDoorbell(hosts, false), "a", "b");
    }

    /** An answer carries how many calls were taken, and so how many receives are there for calls. */
    private static void answers(Hosts hosts, boolean right) {
        int calls = 6;
        for (int i = 0; i < SLOTS; i++) {
            hosts.host("a").to("b").receive(i, HEAD + i * WORD, WORD);
            hosts.host("b").to("a").receive(i, HEAD + i * WORD, WORD);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            long credits = SLOTS;
            int taken = 0;
            for (int i = 0; i < calls; i++) {
                while (i >= credits) {
                    credits = SLOTS + answer(way, taken++);
                }
                int slot = i % SLOTS * WORD;
                if (right && i >= SLOTS) {
                    way.sentOne();
                }
                host.store(slot, i);
                way.post(way.sending(slot, WORD));
            }
            while (taken < calls) {
                answer(way, taken++);
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < calls; i++) {
                way.receivedOne();
                int slot = HEAD + i % SLOTS * WORD;
                assertThat(host.load(slot)).isEqualTo(i);
                way.receive(i + SLOTS, slot, WORD);
                host.store(0, i + 1);
                way.doing(way.sending(0, WORD));
            }
        });
    }

    private static long answer(Way way, int number) {
        way.receivedOne();
        int slot = HEAD + number % SLOTS * WORD;
        long credits = way.own().load(slot);
        way.receive(number + SLOTS, slot, WORD);
        return credits;
    }

    @Test
    void creditsInAnswers() {
        silent(hosts -> answers(hosts, true), "a", "b");
    }
}
