// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium with one page. */
final class Browser implements AutoCloseable {

    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final long PATIENCE_MILLIS = 60_000;

    private final ChromeDriver driver;

    /** Starts a browser, or skips the test where there is none. */
    Browser() {
        assumeTrue(
                Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM),
                "there is no Chromium here (packages chromium and chromium-driver of Debian), so no page was opened");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toString());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--force-device-scale-factor=1");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
        driver.manage().timeouts().scriptTimeout(Duration.ofMillis(PATIENCE_MILLIS * 4));
        size(1280, 860);
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        // The window has a frame; the page is to have the size.
        Object[] frame = ((List<?>)
                        run("return [window.outerWidth - window.innerWidth, window.outerHeight - window.innerHeight]"))
                .toArray();
        driver.manage()
                .window()
                .setSize(
                        new Dimension(width + ((Number) frame[0]).intValue(), height + ((Number) frame[1]).intValue()));
    }

    /** Opens a page, and waits until it is drawn; {@code moment} is what follows the #. */
    void open(Path page, String moment) {
        open(page.toUri() + (moment.isEmpty() ? "" : "#" + moment));
    }

    /** Opens an address, and waits until its page is ready. */
    void open(String address) {
        driver.get("about:blank");
        driver.get(address);
        await("return document.documentElement.dataset.ready === 'true'");
    }

    /** Waits until a script returns true. */
    void await(String script) {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!Boolean.TRUE.equals(run(script))) {
            assertThat(System.currentTimeMillis()).as(script).isLessThan(end);
        }
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    long number(String script, Object... arguments) {
        return ((Number) run(script, arguments)).longValue();
    }

    String text(String script, Object... arguments) {
        return String.valueOf(run(script, arguments));
    }

    void keys(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** A key while another is held. */
    void chord(Keys held, CharSequence key) {
        new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
    }

    void tab() {
        keys(Keys.TAB);
    }

    void click(String selector) {
        driver.findElement(org.openqa.selenium.By.cssSelector(selector)).click();
    }

    /** What the page wrote to the console, and what it loaded. */
    List<String> complaints() {
        List<String> complaints = new java.util.ArrayList<>();
        driver.manage().logs().get(LogType.BROWSER).forEach(entry -> complaints.add(entry.getMessage()));
        complaints.addAll(((List<?>) run("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .stream().map(String::valueOf).toList());
        return complaints;
    }

    /** Violations that axe finds. */
    List<String> violations() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            assertThat(axe).isNotNull();
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        Object found = driver.executeAsyncScript(
                "const done = arguments[0]; axe.run(document).then((found) => done(found.violations.map((one) => one.id + ': '"
                        + " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | '))));");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** What follows happens in the only frame of the page, or in the page again. */
    void frame(boolean inside) {
        if (inside) {
            driver.switchTo().frame(0);
        } else {
            driver.switchTo().defaultContent();
        }
    }

    void type(String selector, String text) {
        driver.findElement(org.openqa.selenium.By.cssSelector(selector)).sendKeys(text);
    }

    byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    byte[] screenshotOf(String selector, int number) {
        return driver.findElements(org.openqa.selenium.By.cssSelector(selector))
                .get(number)
                .getScreenshotAs(OutputType.BYTES);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> map(String script) {
        return (Map<String, Object>) run(script);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
