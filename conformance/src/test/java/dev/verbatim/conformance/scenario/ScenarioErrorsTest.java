// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong in a file is said with its place, its keys and a remedy, all of it at once. */
class ScenarioErrorsTest {

    private static List<String> errors(String yaml) {
        BadScenario bad = catchThrowableOfType(BadScenario.class, () -> ScenarioReader.read("f.yaml", yaml));
        assertThat(bad).as("the file was taken for good").isNotNull();
        return bad.getMessage().lines().toList();
    }

    @Test
    void everythingThatCannotBeReadIsReportedAtOnce() {
        assertThat(errors("""
                                title: Mistakes
                                nodes:
                                  a:
                                    wrods: {r: 1}
                                    program:
                                      - wirte: {x: 1}
                                      - {write: {x: 1}, flags: [FENCED]}
                                      - completion: SUCESS
                                      - {recv: r, qp: 7}
                                      - {write: {x: 1}, read: {x: r}}
                                      - {write: {x: 1, y: 2}}
                                      - {write: {x: 1}, flags: [SIGNALED, UNSIGNALED]}
                                  b:
                                    words: {x: foo, y: 0x1_0000_0000_0000_0000}
                                    regions: {buf: {size: -1}, words: 5}
                                """))
                .containsExactly(
                        "f.yaml:4:5: nodes.a: wrods is not a key of a node; did you mean words?",
                        "f.yaml:6:9: nodes.a.program[0]: wirte is no step; did you mean write?",
                        "f.yaml:7:33: nodes.a.program[1].flags[0]: FENCED is not a send flag; did you mean FENCE?",
                        "f.yaml:8:21: nodes.a.program[2].completion: SUCESS is not a status or any;"
                                + " did you mean SUCCESS?",
                        "f.yaml:9:23: nodes.a.program[3].qp: 7 is not the name of a queue pair: a letter, then letters,"
                                + " digits, _ or -",
                        "f.yaml:10:9: nodes.a.program[4]: write and read cannot be one step; make two of it",
                        "f.yaml:11:17: nodes.a.program[5].write: it has 2 entries, not one; make a step of each",
                        "f.yaml:12:32: nodes.a.program[6].flags: SIGNALED and UNSIGNALED exclude each other; keep one",
                        "f.yaml:14:16: nodes.b.words.x: foo is not a whole number of at most 64 bits",
                        "f.yaml:14:24: nodes.b.words.y: 0x1_0000_0000_0000_0000 is not a whole number of at most 64"
                                + " bits",
                        "f.yaml:15:27: nodes.b.regions.buf.size: -1 is not a whole number in 0..67108864",
                        "f.yaml:15:39: nodes.b.regions.words: 5 is not a region; write it as a mapping with keys such"
                                + " as size, access, words, fill");
    }

    @Test
    void portThatTheDeviceHasNotIsReported() {
        assertThat(errors("""
                                title: Ports
                                nodes:
                                  a:
                                    qps: {qp: {port_num: 2}}
                                  b:
                                    profile: {limits: {phys_port_cnt: 2}}
                                    qps: {qp: {port_num: 2}}
                                    ahs: {there: {node: a, port_num: 2}}
                                """))
                .containsExactly(
                        "f.yaml:4:26: nodes.a.qps.qp.port_num: node a has no port 2; add profile: {limits: {phys_port_cnt: 2}} to it",
                        "f.yaml:8:38: nodes.b.ahs.there.port_num: node a has no port 2; add profile: {limits: {phys_port_cnt: 2}}"
                                + " to it");
    }

    @Test
    void everyNameThatNobodyHasIsReportedAtOnce() {
        assertThat(errors("""
                                title: Names
                                rules: ORD-111
                                nodes:
                                  a:
                                    words: {r: 1}
                                    program:
                                      - write: {z: 1}
                                      - read: {x: rr}
                                      - await: go
                                      - load: {r: x}
                                      - {send: [], qp: left}
                                      - {completion: any, cq: cq2}
                                      - deregister: buf
                                      - destroy: other
                                      - store: {r: seen}
                                      - cut: [a, c]
                                      - until: {r+1: 5}
                                      - post: RDMA_WRITE
                                        remote: {at: x, key: lkey:nothing}
                                  b:
                                    words: {x: 0}
                                connections:
                                  - between: [a, b]
                                  - between: [a, c]
                                faults:
                                  - drop: {from: d}
                                allowed: [{q: 1}]
                                forbidden: [{outcome: {r: 0}, rule: ORD-11x}]
                                """))
                .containsExactly(
                        "f.yaml:2:8: rules: there is no rule ORD-111; did you mean ORD-11? All are listed by"
                                + " 'verbatim rules'",
                        "f.yaml:7:9: nodes.a.program[0]: node b has no word or region z; did you mean x?",
                        "f.yaml:8:9: nodes.a.program[1]: node a has no word or region rr; did you mean r?",
                        "f.yaml:9:16: nodes.a.program[2].await: no step tells go; add a step tell: go",
                        "f.yaml:10:15: nodes.a.program[3].load: x is a word, region or window of node b; name the"
                                + " register otherwise",
                        "f.yaml:11:24: nodes.a.program[4].qp: node a has no queue pair left; known here: qp",
                        "f.yaml:12:31: nodes.a.program[5].cq: node a has no completion queue cq2; did you mean cq?",
                        "f.yaml:13:21: nodes.a.program[6].deregister: node a has no region buf; known here: r, words",
                        "f.yaml:14:18: nodes.a.program[7].destroy: node a has nothing of the name other"
                                + " that can be destroyed; known here: cq, pd, qp",
                        "f.yaml:15:16: nodes.a.program[8].store: no earlier step of node a sets register seen;"
                                + " known here: x",
                        "f.yaml:16:14: nodes.a.program[9].cut: there is no node c; did you mean a?",
                        "f.yaml:17:16: nodes.a.program[10].until: r+1 has 7 bytes, not 1, 2, 4 or 8; write r+OFFSET:8",
                        "f.yaml:19:17: nodes.a.program[11].remote: node b has no region or window nothing, and no earlier"
                                + " step sets such a register; known here: words",
                        "f.yaml:24:14: connections[1].between: a is connected already; name another queue pair, such"
                                + " as a.second",
                        "f.yaml:24:14: connections[1].between: there is no node c; did you mean a?",
                        "f.yaml:26:18: faults[0].drop.from: there is no node d; did you mean a?",
                        "f.yaml:27:12: allowed[0].q: there is no register or word q; did you mean r?",
                        "f.yaml:28:37: forbidden[0].rule: there is no rule ORD-11x; did you mean ORD-11? All are listed"
                                + " by 'verbatim rules'");
    }

    @Test
    void limitsAndCreationsThatCannotBeAreReportedAtOnce() {
        assertThat(errors("""
                                title: Limits
                                nodes:
                                  a:
                                    profile: {limits: {max_qps: 2, max_mr: 0, active_mtu: 1000, max_sge: 33}}
                                    program:
                                      - create: {qp: {}, pd: true}
                                      - create: {}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:4:24: nodes.a.profile.limits: max_qps is not a key of the limits of a device;"
                                + " did you mean max_qp?",
                        "f.yaml:4:44: nodes.a.profile.limits.max_mr: 0 is not a whole number in 1..524287",
                        "f.yaml:4:59: nodes.a.profile.limits.active_mtu: path MTU bytes=1000 is not 256, 512, 1024,"
                                + " 2048 or 4096",
                        "f.yaml:4:74: nodes.a.profile.limits.max_sge: 33 is not a whole number in 1..32",
                        "f.yaml:6:17: nodes.a.program[0].create: 2 objects are named, not one; name qp, cq, pd, srq, xrcd or ah",
                        "f.yaml:7:17: nodes.a.program[1].create: 0 objects are named, not one; name qp, cq, pd, srq, xrcd or ah");
    }

    @Test
    void creationsOnWhatIsNotThereAreReported() {
        assertThat(errors("""
                                title: Creations
                                nodes:
                                  a:
                                    program:
                                      - create: {qp: {cq: ck, pd: other}}
                                      - create: {cq: {channel: true}}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:5:17: nodes.a.program[0].create: node a has no completion queue ck; did you mean cq?",
                        "f.yaml:5:17: nodes.a.program[0].create: node a has no protection domain other;"
                                + " known here: pd",
                        "f.yaml:6:17: nodes.a.program[1].create: a queue without a name cannot be waited for; leave"
                                + " channel out");
    }

    @Test
    void memoryDomainsThatCannotBeUsedSoAreReported() {
        assertThat(errors("""
                                title: Domains
                                nodes:
                                  b:
                                    domains: {gpu0: device, pm: persistent}
                                    words: {w: 0}
                                    regions: {far: {in: gpu9, words: {x: 0}}}
                                    program:
                                      - launch: gpu1
                                      - flush_gpu: {pm: OWNER}
                                      - persist: w
                                    kernels:
                                      pm: [load: {w: r}]
                                      gpu0: [launch: gpu0]
                                """))
                .containsExactly(
                        "f.yaml:6:25: nodes.b.regions.far.in: node b has no memory domain gpu9; did you mean gpu0?",
                        "f.yaml:8:17: nodes.b.program[0].launch: node b has no memory domain gpu1; did you mean gpu0?",
                        "f.yaml:9:20: nodes.b.program[1].flush_gpu: pm is persistent memory, not that of a GPU, and a driver"
                                + " without a GPU answers CUDA_ERROR_INVALID_CONTEXT; name a domain that is device",
                        "f.yaml:10:18: nodes.b.program[2].persist: w is not in persistent memory: the CPU writes it back, and"
                                + " power failure clears it all the same; put its region in: a domain that is persistent",
                        "f.yaml:12:7: nodes.b.kernels.pm: node b has no GPU pm; add domains: {pm: device}",
                        "f.yaml:13:14: nodes.b.kernels.gpu0[0]: a kernel has no call for this, which the CPU does; move the step"
                                + " to the program of the node, and say by tell and await when");
    }

    @Test
    void pollsOfWhatIsNotThereAreReported() {
        assertThat(errors("""
                                title: Polls
                                nodes:
                                  a:
                                    program:
                                      - {poll: event, cq: cq}
                                      - {poll: message}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:5:9: nodes.a.program[0]: asynchronous events are those of the device, not of a"
                                + " completion queue; leave cq out",
                        "f.yaml:6:16: nodes.a.program[1].poll: message is not what to look for; known here: completion,"
                                + " event, notified");
        assertThat(errors("""
                                title: Polls
                                nodes:
                                  a:
                                    program:
                                      - {poll: notified, into: r}
                                      - {poll: completion, cq: ck}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:5:16: nodes.a.program[0].poll: completion queue cq has no channel; give it channel: true"
                                + " under cqs",
                        "f.yaml:6:32: nodes.a.program[1].cq: node a has no completion queue ck; did you mean cq?");
    }

    @Test
    void whatIsWrongWithWindowsIsReportedAtOnce() {
        assertThat(errors("""
                                title: Windows
                                nodes:
                                  a:
                                    profile: {windows: {type2: C, type3: true}}
                                    windows: {w: 3}
                                    program:
                                      - {alloc_mw: v}
                                      - {bind_mw: w, access: REMOTE_FLY}
                                      - {write: {x: 1}, rkey: w+}
                                      - {post: RDMA_WRITE, rkey: w}
                                      - {post: BIND_MW, to: x}
                                      - {post: BIND_MW}
                                      - {post: SEND, mw: w}
                                      - {post: LOCAL_INV}
                                      - {post: SEND, invalidate_rkey: w}
                                      - {post: SEND_WITH_INV, invalidate_rkey: w, imm: 1}
                                      - {expect_mw: w, life: [{lenght: 1}], into: {key: k}}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:4:32: nodes.a.profile.windows.type2: C is not what windows of type 2 are; did you"
                                + " mean A?",
                        "f.yaml:4:35: nodes.a.profile.windows: type3 is not a key of the window switches of a"
                                + " device; did you mean type1?",
                        "f.yaml:5:18: nodes.a.windows.w: 3 is not a whole number in 1..2",
                        "f.yaml:7:9: nodes.a.program[0]: an alloc_mw step needs type; add it",
                        "f.yaml:8:30: nodes.a.program[1].access: REMOTE_FLY is not an access flag; did you mean"
                                + " REMOTE_READ?",
                        "f.yaml:9:31: nodes.a.program[2].rkey: w+ is not a number, or the name of a region, window"
                                + " or register, such as w, lkey:buffer, rkey:w, w@1, w++, w+1, w^0x100 or w/0x41",
                        "f.yaml:10:9: nodes.a.program[3]: to, access and rkey go with mw: name the window that is"
                                + " bound; the key of a remote place stands there, as remote: {at: PLACE, key: KEY}",
                        "f.yaml:11:9: nodes.a.program[4]: to, access and rkey go with mw: name the window that is"
                                + " bound; the key of a remote place stands there, as remote: {at: PLACE, key: KEY}",
                        "f.yaml:12:9: nodes.a.program[5]: BIND_MW needs mw: name the window that it binds",
                        "f.yaml:13:9: nodes.a.program[6]: SEND has no mw; leave it out",
                        "f.yaml:14:9: nodes.a.program[7]: LOCAL_INV needs invalidate_rkey; add it",
                        "f.yaml:15:9: nodes.a.program[8]: SEND has no invalidate_rkey; leave it out",
                        "f.yaml:16:9: nodes.a.program[9]: SEND_WITH_INV has no imm, but invalidate_rkey in its"
                                + " place; leave imm out",
                        "f.yaml:17:32: nodes.a.program[10].life[0]: lenght is not a key of a binding of a window;"
                                + " did you mean length?",
                        "f.yaml:17:52: nodes.a.program[10].into.key: key is not something of a window; did you mean"
                                + " rkey?");
        assertThat(errors("""
                                title: Windows
                                nodes:
                                  a:
                                    words: {r: 0}
                                    windows: {w: 2, r: 1}
                                    program:
                                      - {alloc_mw: v, type: 1, pd: other}
                                      - {alloc_mw: r, type: 1}
                                      - {bind_mw: u, to: s}
                                      - {bind_mw: w, to: {at: r, key: v}}
                                      - {bind_mw: w, to: {at: r, key: 5}}
                                      - {dealloc_mw: ww}
                                      - {write: {x: 1}, rkey: w}
                                      - {write: {x: 1}, rkey: bw}
                                      - {write: {x: 1}, rkey: x}
                                      - {write: {x: 1}, rkey: "lkey:bw"}
                                      - {write: {x: 1}, rkey: "rkey:bw@1"}
                                      - {write: {x: 1}, rkey: words@1}
                                      - {post: LOCAL_INV, invalidate_rkey: bw}
                                      - {post: SEND_WITH_INV, invalidate_rkey: w}
                                      - {completion: {invalidated_rkey: z}}
                                      - {expect_mw: w, rkey: z, life: [{qp: left}], into: {rkey: bw}}
                                  b:
                                    words: {x: 0}
                                    windows: {bw: 2}
                                """))
                .containsExactly(
                        "f.yaml:5:21: nodes.a.windows.r: r is both a window and a word or region; rename one",
                        "f.yaml:7:36: nodes.a.program[0].pd: node a has no protection domain other; known here: pd",
                        "f.yaml:8:20: nodes.a.program[1].alloc_mw: r is a word or region already; name the window"
                                + " otherwise",
                        "f.yaml:9:19: nodes.a.program[2].bind_mw: node a has no window u; did you mean r?",
                        "f.yaml:9:26: nodes.a.program[2].to: node a has no word or region s; did you mean r?",
                        "f.yaml:10:26: nodes.a.program[3].to: a window is bound to a region, which v is not; did you"
                                + " mean r?",
                        "f.yaml:11:26: nodes.a.program[4].to: key 0x00000005 is no region; name one, or say key: 0"
                                + " for none",
                        "f.yaml:12:22: nodes.a.program[5].dealloc_mw: node a has no window ww; did you mean w?",
                        "f.yaml:13:9: nodes.a.program[6]: node b has no region or window w, and no earlier step sets"
                                + " such a register; did you mean bw?",
                        "f.yaml:15:9: nodes.a.program[8]: x is a word; name its region, or a window",
                        "f.yaml:16:9: nodes.a.program[9]: bw is a window, which has no local key; write bw",
                        "f.yaml:17:9: nodes.a.program[10]: rkey:bw is what its handle has now; leave out rkey: or @1",
                        "f.yaml:18:9: nodes.a.program[11]: words is no window of node b, so nothing binds it; leave"
                                + " out @1",
                        "f.yaml:19:44: nodes.a.program[12].invalidate_rkey: node a has no region or window bw, and"
                                + " no earlier step sets such a register; did you mean w?",
                        "f.yaml:20:48: nodes.a.program[13].invalidate_rkey: node b has no region or window w, and no"
                                + " earlier step sets such a register; did you mean bw?",
                        "f.yaml:21:22: nodes.a.program[14].completion: node a has no region or window z, and no"
                                + " earlier step sets such a register; did you mean r?",
                        "f.yaml:22:9: nodes.a.program[15]: node a has no queue pair left; known here: qp",
                        "f.yaml:22:30: nodes.a.program[15].rkey: node a has no region or window z, and no earlier"
                                + " step sets such a register; did you mean r?",
                        "f.yaml:22:59: nodes.a.program[15].into: bw is a word, region or window of node b; name the"
                                + " register otherwise");
    }

    @Test
    void windowIsAskedForWhereThereIsNone() {
        assertThat(errors("{title: t, nodes: {a: {program: [{dealloc_mw: w}]}}}"))
                .containsExactly("f.yaml:1:47: nodes.a.program[0].dealloc_mw: node a has no window w; give it one by"
                        + " windows: {w: 2}");
    }

    @Test
    void queriesOfWhatIsNotThereAreReportedAtOnce() {
        assertThat(errors("""
                                title: Queries
                                nodes:
                                  a:
                                    program:
                                      - {query_device: {max_qps: 2}, into: {max_mrs: m}}
                                      - query_port: {state: UP, active_mtu: 1000}
                                      - {query_port: {}, port_num: -1}
                                      - query_gid: first
                                      - {query_pkey: 0, pkey: 0x10000}
                                      - {query_qp_data_in_order: RDMA_WRIT, in_order: maybe}
                                  b: {}
                                """))
                .containsExactly(
                        "f.yaml:5:25: nodes.a.program[0].query_device: max_qps is not a key of the attributes of a device;"
                                + " did you mean max_qp?",
                        "f.yaml:5:45: nodes.a.program[0].into.max_mrs: max_mrs is not an attribute of a device;"
                                + " did you mean max_mr?",
                        "f.yaml:6:29: nodes.a.program[1].query_port.state: UP is not a state of a port; known here: NOP,"
                                + " DOWN, INIT, ARMED, ACTIVE, ACTIVE_DEFER",
                        "f.yaml:6:45: nodes.a.program[1].query_port.active_mtu: path MTU bytes=1000 is not 256, 512,"
                                + " 1024, 2048 or 4096",
                        "f.yaml:7:36: nodes.a.program[2].port_num: -1 is not a whole number in 0..255",
                        "f.yaml:8:20: nodes.a.program[3].query_gid: first is not a whole number in 0..65535",
                        "f.yaml:9:31: nodes.a.program[4].pkey: 0x10000 is not a whole number in 0..65535",
                        "f.yaml:10:34: nodes.a.program[5].query_qp_data_in_order: RDMA_WRIT is not an opcode of a"
                                + " request; did you mean RDMA_WRITE?",
                        "f.yaml:10:55: nodes.a.program[5].in_order: maybe is not true or false");
        assertThat(errors("""
                                title: Queries
                                nodes:
                                  a:
                                    program:
                                      - {query_gid: 0, node: c, into: x}
                                      - {query_qp_data_in_order: RDMA_WRITE, qp: left}
                                  b: {words: {x: 0}}
                                """))
                .containsExactly(
                        "f.yaml:5:30: nodes.a.program[0].node: there is no node c; did you mean a?",
                        "f.yaml:5:39: nodes.a.program[0].into: x is a word, region or window of node b; name the"
                                + " register otherwise",
                        "f.yaml:6:50: nodes.a.program[1].qp: node a has no queue pair left; known here: qp");
    }

    @Test
    void missingKeysAreNamed() {
        assertThat(errors("about: nothing")).containsExactly("f.yaml:1:1: a scenario needs title and nodes; add it");
    }

    @Test
    void emptyFileIsToldHowToBegin() {
        assertThat(errors("")).containsExactly("f.yaml:1:1: the file is empty; begin with title: and nodes:");
    }

    @Test
    void whatIsNoYamlIsShownWhereItEndsBeingOne() {
        assertThat(errors("title: a\nnodes: [a\n"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:3:1: this is no YAML: ");
    }

    @Test
    void fileThatGrowsByAliasesIsRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 6; i++) {
            String all = "*a" + (i - 1) + ", ";
            bomb.append("a" + i + ": &a" + i + " [" + all.repeat(8) + "x]\n");
        }
        assertThat(errors(bomb.toString())).singleElement().asString().contains("it holds more than 65536 values");
    }

    @Test
    void aliasOfItselfIsRefused() {
        assertThat(errors("title: &t [*t]\nnodes: {}"))
                .singleElement()
                .asString()
                .contains("inside each other");
    }

    @Test
    void nodeWithSeveralQueuePairsIsAskedWhichIsMeant() {
        assertThat(errors("""
                                title: Two
                                nodes:
                                  a: {program: [{write: {x: 1}}]}
                                  b: {words: {x: 0}}
                                connections:
                                  - between: [a.left, b.left]
                                  - between: [a.right, b.right]
                                """))
                .contains("f.yaml:3:17: nodes.a.program[0]: node a has 2 of them: say which queue pair by qp:"
                        + " left or right");
    }

    @Test
    void fileThatIsNotThereIsSaidSo(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing.yaml");
        Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 1});
        assertThat(catchThrowableOfType(BadScenario.class, () -> ScenarioReader.read(missing)))
                .hasMessageContaining("it cannot be read (no such file or directory); see that it exists");
        assertThat(catchThrowableOfType(BadScenario.class, () -> ScenarioReader.read(binary)))
                .hasMessageContaining("it is not UTF-8; save it as UTF-8");
    }

    @Test
    void swappedPlacesAreToldToComeRemoteFirst() {
        assertThat(errors("""
                                title: t
                                nodes:
                                  a:
                                    words: {r: 0, w: 5}
                                    program:
                                      - read: {r: x}
                                      - write: {w: x}
                                      - {cas: {r: x}, compare: 0}
                                      - write: {w: 1}
                                      - chain: [{write: {w+0: x+0}}]
                                  b: {words: {x: 0}}
                                """))
                .containsExactly(
                        "f.yaml:6:9: nodes.a.program[0]: r is of node a, and x of node b: the remote place comes first,"
                                + " whichever way the bytes go: {x: r}",
                        "f.yaml:7:9: nodes.a.program[1]: w is of node a, and x of node b: the remote place comes first,"
                                + " whichever way the bytes go: {x: w}",
                        "f.yaml:8:9: nodes.a.program[2]: r is of node a, and x of node b: the remote place comes first,"
                                + " whichever way the bytes go: {x: r}",
                        "f.yaml:9:9: nodes.a.program[3]: node b has no word or region w; did you mean x?",
                        "f.yaml:10:9: nodes.a.program[4]: w is of node a, and x of node b: the remote place comes first,"
                                + " whichever way the bytes go: {x: w}");
    }

    @Test
    void numberThatItsPlaceCannotHoldIsFoundBeforeTheRun() {
        assertThat(errors("""
                                title: t
                                nodes:
                                  a:
                                    regions: {buf: {size: 64}}
                                    program:
                                      - store: {buf+0:1: 256}
                                      - store: {buf+0:1: -129}
                                      - store: {buf+0:1: -128}
                                      - store: {buf+0:8: -1}
                                      - until: {buf+4:2: 70000}
                                      - until: {buf+4:2: 65535}
                                      - expect: {buf+8:4: -1}
                                      - expect: {buf+8:4: 0xffffffff, buf:8: -1}
                                """))
                .containsExactly(
                        "f.yaml:6:16: nodes.a.program[0].store: 256 is not in -128..255, which is all that buf:1 can hold;"
                                + " name more bytes or another number",
                        "f.yaml:7:16: nodes.a.program[1].store: -129 is not in -128..255, which is all that buf:1 can"
                                + " hold; name more bytes or another number",
                        "f.yaml:10:16: nodes.a.program[4].until: 70000 is not in 0..65535, which is all that buf+4:2 can"
                                + " hold; name more bytes or another number",
                        "f.yaml:12:17: nodes.a.program[6].expect: -1 is not in 0..4294967295, which is all that buf+8:4"
                                + " can hold; name more bytes or another number");
    }
}
