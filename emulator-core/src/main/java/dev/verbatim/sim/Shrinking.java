// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceList.Deviation;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.replay.LooseReplay;
import dev.verbatim.sim.replay.OrderShrinking;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * One failure on its way to its smallest form.
 *
 * <p>What is left out is a run of neighbours: half of all, then a quarter, at last one by one (delta debugging). A run that
 * fails is kept as it was recorded, not as it was tried: with other choices a program asks for other choices. Choices are
 * smaller if fewer are not first alternatives, then if the last of those is earlier, then if they are lower.
 */
final class Shrinking<T> {

    /** With so many seeds a shorter program is tried that does not fail with the choices of the longer one. */
    private static final int SEEDS = 32;

    /** With more deviations than this it is worth while to look at what waits for what. */
    private static final int FEW = 4;

    /** With more deviations than this behind that it is worth while to begin with another failure. */
    private static final int MANY = 10;

    private final BiPredicate<List<T>, Choices> stillFails;
    private final Consumer<Shrunk<?>> observer;
    private final int mostTries;
    private List<T> program;
    private ChoiceList choices;
    private int tries;

    Shrinking(
            List<T> program,
            ChoiceList choices,
            BiPredicate<List<T>, Choices> stillFails,
            int mostTries,
            Consumer<Shrunk<?>> observer) {
        this.program = program;
        this.choices = choices;
        this.stillFails = stillFails;
        this.mostTries = mostTries;
        this.observer = observer;
    }

    Shrunk<T> run() {
        boolean shrank;
        do {
            shrank = shortenProgram();
            shrank |= tryChoices(List.of());
            shrank |= choices.deviations().size() > FEW && dropWaits();
            shrank |= tryChoices(packed(choices).deviations());
            shrank |= dropDeviations();
            shrank |= lowerDeviations();
            shrank |= advanceDeviations();
        } while (shrank && hasTries());
        return shrunk(!shrank && hasTries());
    }

    private Shrunk<T> shrunk(boolean isSmallest) {
        return new Shrunk<>(program, choices, tries, isSmallest);
    }

    private boolean hasTries() {
        return tries < mostTries;
    }

    private boolean shortenProgram() {
        boolean shrank = false;
        for (int size = (program.size() + 1) / 2; size > 0; size /= 2) {
            for (int end = program.size(); end > 0 && hasTries(); end -= size) {
                List<T> shorter = without(program, Math.max(0, end - size), Math.min(end, program.size()));
                shrank |= shorter.size() < program.size() && stillFailsSomehow(shorter);
            }
        }
        return shrank;
    }

    /**
     * With fewer steps the choices fall on others: as they are, then without waiting for what is gone, then as some seeds
     * have it.
     */
    private boolean stillFailsSomehow(List<T> shorter) {
        if (fails(shorter, new LooseReplay(choices), true) || fails(shorter, new LooseReplay(packed(choices)), true)) {
            return true;
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            if (fails(shorter, Choices.seeded(seed), true)) {
                return true;
            }
        }
        return false;
    }

    /** Each deviation as soon as its point is asked, since the steps are gone whose choices kept it waiting. */
    private static ChoiceList packed(ChoiceList list) {
        List<Deviation> packed = new ArrayList<>();
        for (Deviation old : list.deviations()) {
            packed.add(new Deviation(packed.size(), old.point(), old.alternatives(), old.taken()));
        }
        return new ChoiceList(packed.size(), packed);
    }

    /**
     * Leaves out what waits for what, with three quarters of the tries that are left. Where that leaves many, it begins again with the
     * failures of some seeds.
     */
    private boolean dropWaits() {
        int mostNow = tries + (mostTries - tries) / 4 * 3;
        OrderShrinking order = new OrderShrinking(tried -> tries < mostNow && isStillFailing(tried));
        boolean shrank = fails(program, order.shrink(choices), false);
        for (long seed = 0; tries < mostNow && choices.deviations().size() > MANY; seed++) {
            ChoiceRecord recorded = Choices.recorded(SeedMix.choices(seed));
            if (isStillFailing(recorded)) {
                shrank |= fails(program, order.shrink(recorded.list().trimmed()), false);
            }
        }
        return shrank;
    }

    private boolean isStillFailing(Choices tried) {
        tries++;
        return stillFails.test(program, tried);
    }

    private boolean dropDeviations() {
        boolean shrank = false;
        for (int size = choices.deviations().size(); size > 0; size /= 2) {
            for (int end = choices.deviations().size(); end > 0 && hasTries(); end -= size) {
                List<Deviation> all = choices.deviations();
                shrank |= tryChoices(without(all, Math.max(0, end - size), Math.min(end, all.size())));
            }
        }
        return shrank;
    }

    private boolean lowerDeviations() {
        boolean shrank = false;
        for (int i = choices.deviations().size() - 1; i >= 0; i--) {
            shrank |= lower(i, 1) || lower(i, 2);
            while (hasTries() && lowerByOne(i)) {
                shrank = true;
            }
        }
        return shrank;
    }

    private boolean lowerByOne(int index) {
        return index < choices.deviations().size()
                && lower(index, choices.deviations().get(index).taken() - 1);
    }

    private boolean lower(int index, int taken) {
        if (index >= choices.deviations().size()) {
            return false;
        }
        Deviation old = choices.deviations().get(index);
        if (taken < 1 || taken >= old.taken()) {
            return false;
        }
        List<Deviation> lower = new ArrayList<>(choices.deviations());
        lower.set(index, new Deviation(old.position(), old.point(), old.alternatives(), taken));
        return tryChoices(lower);
    }

    /** Moves deviations, and those behind them, to earlier positions: by the whole gap before them, by half of it, and so on. */
    private boolean advanceDeviations() {
        boolean shrank = false;
        for (int i = 0; i < choices.deviations().size(); i++) {
            for (int by = gapBefore(i); by > 0 && hasTries(); by = Math.min(by / 2, gapBefore(i))) {
                shrank |= tryChoices(advanced(i, by));
            }
        }
        return shrank;
    }

    private int gapBefore(int index) {
        List<Deviation> all = choices.deviations();
        if (index >= all.size()) {
            return 0;
        }
        return all.get(index).position() - (index == 0 ? 0 : all.get(index - 1).position() + 1);
    }

    private List<Deviation> advanced(int index, int by) {
        List<Deviation> advanced = new ArrayList<>(choices.deviations());
        for (int i = index; i < advanced.size(); i++) {
            Deviation old = advanced.get(i);
            advanced.set(i, new Deviation(old.position() - by, old.point(), old.alternatives(), old.taken()));
        }
        return advanced;
    }

    private boolean tryChoices(List<Deviation> deviations) {
        int length =
                deviations.isEmpty() ? 0 : deviations.get(deviations.size() - 1).position() + 1;
        ChoiceList tried = new ChoiceList(length, deviations);
        return compare(tried, choices) < 0 && fails(program, new LooseReplay(tried), false);
    }

    /** Runs it, and keeps it if it fails and is smaller: the program, or else the choices that it makes. */
    private boolean fails(List<T> triedProgram, Choices triedChoices, boolean isShorterProgram) {
        if (!hasTries()) {
            return false;
        }
        tries++;
        ChoiceRecord recorded = Choices.recorded(triedChoices);
        if (!stillFails.test(triedProgram, recorded)) {
            return false;
        }
        ChoiceList made = recorded.list().trimmed();
        if (!isShorterProgram && compare(made, choices) >= 0) {
            return false;
        }
        program = triedProgram;
        choices = made;
        observer.accept(shrunk(false));
        return true;
    }

    private static int compare(ChoiceList a, ChoiceList b) {
        int byCount = Integer.compare(a.deviations().size(), b.deviations().size());
        if (byCount != 0) {
            return byCount;
        }
        int byLength = Integer.compare(a.length(), b.length());
        return byLength != 0 ? byLength : Long.compare(weight(a), weight(b));
    }

    private static long weight(ChoiceList list) {
        long weight = 0;
        for (Deviation deviation : list.deviations()) {
            weight += deviation.position() + (long) deviation.taken();
        }
        return weight;
    }

    private static <E> List<E> without(List<E> list, int from, int to) {
        List<E> left = new ArrayList<>(list.subList(0, Math.min(from, list.size())));
        left.addAll(list.subList(Math.min(to, list.size()), list.size()));
        return left;
    }
}
