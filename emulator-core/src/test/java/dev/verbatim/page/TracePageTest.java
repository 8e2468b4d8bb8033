// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.SendWithoutReceive;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("smoke")
class TracePageTest {

    private static final int MOST_BYTES_WITHOUT_DATA = 500_000;
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"trace\">(.*?)</script>", Pattern.DOTALL);

    @TempDir
    Path directory;

    private String written(TracePage page) throws IOException {
        Path file = directory.resolve("page.html");
        page.write(file);
        return Files.readString(file);
    }

    private static String data(String page) {
        Matcher matcher = DATA.matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void pageHasTheEventsOfItsRunsAsTheyWereTraced() throws IOException {
        RunRecorder run = new RunRecorder();
        run.title("one");
        try (Verbatim rdma = Verbatim.inProcess().tap(run)) {
            RcPair rc = RcPair.connect(rdma.open("a"), rdma.open("b"));
            rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
        }
        String data = data(written(new TracePage("A run").add(run)));
        assertThat(run.lines())
                .hasSizeGreaterThan(20)
                .allSatisfy(line -> assertThat(data).contains(line));
        assertThat(data)
                .contains("\"title\":\"A run\"", "\"kind\":\"posted\"", "RDMA_WRITE wr_id=1", "\"title\":\"one\"");
    }

    @Test
    void whatIsCalledAScriptStaysText() throws IOException {
        String hostile = "</script><script>alert(1)</script><!--\u202e";
        RunRecorder run = new RunRecorder();
        run.title(hostile);
        run.caption(hostile, hostile);
        run.line("{\"kind\":\"event\",\"device\":\"</script>\"}");
        run.names(Map.of(1L, hostile));
        String page = written(new TracePage(hostile)
                .about(hostile)
                .figures(hostile)
                .add(run)
                .outcome(hostile, hostile, false, 1)
                .absent(hostile, hostile, true, "MW-84")
                .rules(rule -> hostile));
        assertThat(page.split("</script>", -1)).as("the page's own two").hasSize(3);
        assertThat(data(page)).doesNotContain("<").contains("\\u003c/script>");
        String title = page.substring(page.indexOf("<title>"), page.indexOf("</title>"));
        assertThat(title).isEqualTo("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--\uFFFD");
    }

    @Test
    void titleOfAMegabyteIsCut() throws IOException {
        String page = written(new TracePage("x".repeat(1 << 20)).add(new RunRecorder()));
        assertThat(page.substring(page.indexOf("<title>"), page.indexOf("</title>")))
                .hasSizeLessThan(200);
    }

    @Test
    void policyPermitsThePageItselfAndNothingElse() throws IOException {
        PageTemplate template = PageTemplate.load();
        String page = written(new TracePage("t").add(new RunRecorder()));
        assertThat(template.policy())
                .startsWith("default-src 'none'; script-src 'sha256-")
                .doesNotContain("unsafe", "http");
        assertThat(page)
                .contains("content=\"" + template.policy() + "\"", template.script(), template.style())
                .doesNotContain("{{")
                .doesNotContainPattern("(src|href)=")
                .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg)");
        assertThat(template.script()).doesNotContain("innerHTML", "eval(", "Function(", "document.write");
    }

    @Test
    void pageWithoutDataIsSmall() throws IOException {
        assertThat(written(new TracePage("t").add(new RunRecorder()))).hasSizeLessThan(MOST_BYTES_WITHOUT_DATA);
    }

    @Test
    void choicesAndCaptionsStandBetweenTheEvents() throws IOException {
        RunRecorder run = new RunRecorder();
        run.caption("first", "");
        run.opening("here", "it begins");
        run.choice(ChoicePoint.PLACEMENT, "one, before another");
        assertThat(run.lines())
                .containsExactly(
                        "{\"kind\":\"caption\",\"title\":\"first\",\"text\":\"\"}",
                        "{\"kind\":\"caption\",\"title\":\"here\",\"text\":\"it begins\",\"opens\":true}",
                        "{\"kind\":\"choice\",\"point\":\"placement\",\"text\":\"one, before another\",\"rules\":[\"N3\",\"ORD-34\"]}");
        assertThat(data(written(new TracePage("t").add(run).rules(rule -> "of " + rule))))
                .contains("\"rules\":{\"N3\":\"of N3\",\"ORD-34\":\"of ORD-34\"}");
        // Without a source of its own, as for a test that failed, a page quotes the rules of the device.
        assertThat(data(written(new TracePage("t").add(run))))
                .containsPattern("\"rules\":\\{\"N3\":\"[A-Z][^\"]{20,}\",\"ORD-34\":\"[A-Z][^\"]{20,}\"}");
    }

    private static String exchange(int times) {
        String source = "\"source\":\"fe80::1\",\"destination\":\"fe80::2\"";
        String nak = "\"packet\":{\"opcode\":\"ACKNOWLEDGE\",\"psn\":1,\"aeth\":{\"meaning\":\"RNR NAK, 0.64 ms\"}}";
        RunRecorder run = new RunRecorder();
        for (int i = 0; i < times; i++) {
            run.line("{\"kind\":\"decided\",\"timeNanos\":" + (i * 1000 + 500)
                    + ",\"device\":\"a\",\"rule\":\"RT-03\"}");
            run.line("{\"kind\":\"sent\",\"timeNanos\":" + (i * 1000 + 500) + "," + source + "," + nak + "}");
        }
        assertThat(run.lines()).as("what was recorded stays").hasSize(2 * times);
        return run.toJson();
    }

    @Test
    void whatComesAgainAndAgainIsDrawnOnceWithItsNumber() {
        assertThat(exchange(7812))
                .containsOnlyOnce("\"kind\":\"sent\"")
                .containsOnlyOnce("\"kind\":\"decided\"")
                .contains(
                        "\"title\":\"the 2 events before this line, 7,811 times more: 7,812 x RNR NAK\"",
                        "\"untilNanos\":7811500");
        assertThat(exchange(9)).containsPattern("\"title\":\"the 2 events before[^}]*\"timeNanos\":8500");
        assertThat(exchange(7)).doesNotContain("times more").contains("\"timeNanos\":6500");
    }

    @Test
    void sendWithoutAReceiveIsDrawnInFewRows() {
        RunRecorder run = new RunRecorder();
        SendWithoutReceive.run(run);
        assertThat(run.size()).isGreaterThan(5_000);
        assertThat(run.toJson().lines().count()).isLessThan(200);
        assertThat(run.toJson()).containsPattern("times more: [^\"]*\\d\\d\\d x RNR NAK");
    }

    @Test
    void receivesOfOneNumberAreEachDrawnFromPostToFlush() {
        RunRecorder run = new RunRecorder();
        int receives = 16;
        try (Verbatim rdma = Verbatim.inProcess().tap(run)) {
            RcPair rc = RcPair.connect(rdma.open("a"), rdma.open("b"));
            for (int i = 0; i < receives; i++) {
                rc.left()
                        .qp()
                        .postRecv(ReceiveWorkRequest.of(0, rc.left().region().sge(0, 8)));
            }
            rc.left().qp().modify(new QpAttributes().state(QpState.ERR));
        }
        assertThat(run.toJson().split("\"kind\":\"posted\"", -1)).hasSize(receives + 1);
        assertThat(run.toJson().split("\"status\":\"WR_FLUSH_ERR\"", -1)).hasSize(receives + 1);
    }

    @Test
    void captionsAndChoicesAreNeverFolded() {
        RunRecorder run = new RunRecorder();
        for (int i = 0; i < 20; i++) {
            run.caption("the same", "");
            run.choice(ChoicePoint.PLACEMENT, "the same");
        }
        assertThat(run.toJson().lines().count()).isEqualTo(41);
    }

    @Test
    void pageWithoutRunsIsRefused() {
        TracePage page = new TracePage("t");
        assertThat(page.isEmpty()).isTrue();
        assertThatThrownBy(() -> page.write(directory.resolve("p.html"))).isInstanceOf(IllegalStateException.class);
    }
}
