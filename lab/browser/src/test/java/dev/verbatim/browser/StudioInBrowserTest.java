// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.studio.Studio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The studio as a browser shows it. */
class StudioInBrowserTest {

    private static final String IMAGE = "../../docs/images/studio.png";

    private static Browser browser;
    private static Studio studio;

    @BeforeAll
    static void start() {
        browser = new Browser();
        studio = Studio.open(0, List.of(), 60);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            studio.close();
        }
    }

    @BeforeEach
    void open() {
        browser.size(1280, 860);
        browser.open(studio.address());
        ends();
        checked();
    }

    private static void checked() {
        browser.await("return document.documentElement.dataset.checked === 'true'");
    }

    private static void write(String text) {
        browser.run(
                "const area = document.getElementById('text'); area.value = arguments[0];"
                        + " area.dispatchEvent(new Event('input')); area.focus(); area.setSelectionRange(area.value.length, area.value.length)",
                text);
    }

    private static String text() {
        return browser.text("return document.getElementById('text').value");
    }

    private static String said() {
        return browser.text("return document.getElementById('progress').textContent");
    }

    private static void ends() {
        browser.await("return ['DONE', 'STOPPED', 'FAILED'].includes(document.documentElement.dataset.job)");
    }

    private static void onlyTheStudioWasAsked() {
        assertThat(browser.complaints()).allMatch(each -> each.startsWith("http://127.0.0.1:" + studio.port() + "/"));
    }

    @Test
    void opensWithTheFirstLessonAlreadyDrawn() throws IOException {
        try (Studio fresh = Studio.open(0, List.of(), 60)) {
            browser.open(fresh.address());
            ends();
            assertThat(said()).isEqualTo("As expected: x=1");
            assertThat(text()).startsWith("title: Lesson 1 A WRITE\n");
            assertThat(browser.text("return document.querySelector('#lessons [aria-pressed=true]').textContent"))
                    .isEqualTo("1 A WRITE");
            assertThat(browser.text("return document.getElementById('colours').textContent"))
                    .isEqualTo(text() + "\n");
            assertThat(browser.text("return document.querySelector('#colours .key').textContent"))
                    .isEqualTo("title");
            if (Boolean.getBoolean("verbatim.update")) {
                // The frame is drawn by a process of its own, which the first picture does not wait for.
                browser.screenshot();
                Files.write(Path.of(IMAGE), browser.screenshot());
            }
            browser.click("#lessons button:nth-of-type(2)");
            browser.await("return document.getElementById('text').value.startsWith('title: Lesson 2')");
            ends();
            browser.open("http://127.0.0.1:" + fresh.port() + "/");
            ends();
            assertThat(text()).startsWith("title: Lesson 2");
            checked(); // nothing is asked any more when this studio closes
        }
    }

    @Test
    void addressHasNoToken() {
        assertThat(browser.text("return location.href")).isEqualTo("http://127.0.0.1:" + studio.port() + "/");
        assertThat(browser.text("return document.cookie")).isEmpty();
        onlyTheStudioWasAsked();
    }

    @Test
    void runDrawsTheExecutionBesideTheEditor() {
        browser.click("#run");
        ends();
        assertThat(said()).startsWith("As expected: ");
        browser.frame(true);
        browser.await("return document.documentElement.dataset.ready === 'true'");
        assertThat(browser.number("return document.querySelectorAll('.arrow[data-arrow]').length"))
                .isPositive();
        browser.keys(Keys.ARROW_DOWN);
        browser.frame(false);
        onlyTheStudioWasAsked();
    }

    @Test
    void foldedEditorLeavesTheButtonsAndGivesTheDrawingItsPlace() {
        long before = browser.number("return document.getElementById('drawing').clientWidth");
        browser.click("#fold");
        assertThat(browser.number("return document.getElementById('drawing').clientWidth"))
                .isGreaterThan(before)
                .isEqualTo(browser.number("return document.documentElement.clientWidth"));
        assertThat(browser.number("return document.getElementById('editor').clientHeight"))
                .isZero();
        browser.click("#run");
        ends();
        assertThat(said()).startsWith("As expected: ");
        browser.click("#fold");
        assertThat(browser.number("return document.getElementById('drawing').clientWidth"))
                .isEqualTo(before);
    }

    @Test
    void lessonIsPressedWhileItsTextIsInTheEditor() {
        String pressed =
                "return [...document.querySelectorAll('#lessons [aria-pressed=true]')].map((one) => one.textContent).join()";
        browser.click("#lessons button:nth-of-type(2)");
        ends();
        assertThat(browser.text(pressed)).isEqualTo("2 A READ and a WRITE behind it");
        String lesson = text();
        write(lesson + "# mine\n");
        assertThat(browser.text(pressed)).isEmpty();
        write(lesson);
        assertThat(browser.text(pressed)).isEqualTo("2 A READ and a WRITE behind it");
        browser.open(studio.address());
        ends();
        assertThat(text()).isEqualTo(lesson);
        assertThat(browser.text(pressed)).isEqualTo("2 A READ and a WRITE behind it");
        checked();
    }

    @Test
    void litmusShowsAllOutcomes() {
        browser.run(
                "const list = document.getElementById('scenario'); list.value = 'LT-02'; list.dispatchEvent(new Event('change'))");
        browser.await("return document.getElementById('text').value.startsWith('title: LT-02')");
        browser.click("#litmus");
        ends();
        assertThat(said()).startsWith("As expected: 2 outcomes, ");
        browser.frame(true);
        browser.await("return document.documentElement.dataset.ready === 'true'");
        assertThat(browser.number("return document.querySelectorAll('#outcomes tbody tr').length"))
                .isEqualTo(2);
        browser.frame(false);
    }

    @Test
    void problemsStandAtTheirLineAndLeadThere() {
        write(text().replace("program:", "progam:"));
        checked();
        assertThat(browser.number("return document.querySelectorAll('#problems button').length"))
                .isPositive();
        long line = browser.number("return Number(document.querySelector('#problems button').dataset.line)");
        assertThat(browser.text("return document.querySelector('#gutter .wrong').textContent"))
                .contains("✗ " + line);
        browser.click("#problems button");
        assertThat(
                        browser.number(
                                "const area = document.getElementById('text'); return area.value.slice(0, area.selectionStart).split('\\n').length"))
                .isEqualTo(line);
        browser.click("#run");
        ends();
        assertThat(said()).isEqualTo("The scenario has problems; they are listed above.");
    }

    private static String chosenWord() {
        return browser.text("return document.querySelector('#completions [aria-selected=true]').textContent");
    }

    @Test
    void wordsAreCompletedByKeys() {
        write("title: x\nre");
        browser.chord(Keys.CONTROL, " ");
        String first = chosenWord();
        browser.keys(Keys.ARROW_DOWN);
        assertThat(chosenWord()).startsWith("re").isNotEqualTo(first);
        browser.keys(Keys.ARROW_UP);
        assertThat(chosenWord()).isEqualTo(first);
        write("title: x\ncanonic");
        browser.chord(Keys.CONTROL, " ");
        assertThat(chosenWord()).isEqualTo("canonical");
        browser.keys(Keys.ENTER);
        assertThat(text()).isEqualTo("title: x\ncanonical");
        browser.keys(":", Keys.ESCAPE, Keys.TAB);
        assertThat(browser.text("return document.activeElement.id")).isNotEqualTo("text");
    }

    @Test
    void linkHoldsTheScenarioAndRunsNothing() {
        String hostile = "title: </script><script>alert(1)</script>\n# \u202e\n";
        write(hostile);
        browser.click("#link");
        String link = browser.text("return location.href");
        assertThat(link).contains("#scenario=").doesNotContain("token");
        browser.run("document.documentElement.dataset.job = 'none'");
        browser.open(link);
        assertThat(text()).isEqualTo(hostile);
        assertThat(browser.text("return document.documentElement.dataset.job ?? 'none'"))
                .isEqualTo("none");
    }

    @Test
    void ownFileIsLoadedByTheBrowser(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), "title: my own\n");
        browser.type("#load", file.toString());
        browser.await("return document.getElementById('text').value === 'title: my own\\n'");
    }

    @Test
    void titleOfAScenarioIsTextInTheDrawing() {
        write(text().replaceFirst("title: .*", "title: <img src=x onerror=alert(1)></script>"));
        checked();
        browser.click("#run");
        ends();
        browser.frame(true);
        browser.await("return document.documentElement.dataset.ready === 'true'");
        assertThat(browser.text("return document.getElementById('title').textContent"))
                .isEqualTo("<img src=x onerror=alert(1)></script>");
        browser.frame(false);
        onlyTheStudioWasAsked();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothing(String theme) throws IOException {
        if (!theme.equals(browser.text("return document.documentElement.dataset.theme"))) {
            browser.click("#theme");
        }
        write(text().replace("program:", "progam:"));
        checked();
        browser.chord(Keys.CONTROL, " ");
        assertThat(browser.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1280, 1920})
    void nothingIsClipped(int width) throws IOException {
        browser.size(width, 860);
        browser.click("#run");
        ends();
        browser.frame(true);
        browser.await("return document.documentElement.dataset.ready === 'true'");
        browser.frame(false);
        assertThat(
                        (List<?>)
                                browser.run(
                                        "return [...document.querySelectorAll('header *, .controls *, #hint, #progress')]"
                                                + ".filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1"
                                                + " && getComputedStyle(one).overflow !== 'visible').map((one) => one.id || one.textContent)"))
                .isEmpty();
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(width);
    }
}
