// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.trace.CaptureFormat;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.PcapngTap;
import dev.verbatim.trace.TextTap;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Into which files a command writes what its devices do. */
final class TraceFiles {

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = {
                "Write a trace of all events to FILE: one line of text per event if the name ends in .txt, otherwise"
                        + " one line of JSON."
            })
    private @Nullable Path trace;

    @Option(
            names = "--capture",
            paramLabel = "FILE",
            description = {"Write the packets to FILE, as RoCEv2 datagrams, for Wireshark."})
    private @Nullable Path capture;

    @Option(
            names = "--capture-format",
            paramLabel = "WORDS",
            converter = FormatWords.class,
            defaultValue = "pcapng,raw,nanoseconds",
            description = {
                "Format of the capture, words separated by commas: pcapng or pcap; raw, ethernet, sll or sll2, which is what"
                        + " stands before each IP header; nanoseconds or microseconds.",
                "Default: ${DEFAULT-VALUE}."
            })
    private CaptureFormat format;

    /** Reads a format by its words. */
    static final class FormatWords implements ITypeConverter<CaptureFormat> {
        @Override
        public CaptureFormat convert(String words) {
            try {
                return CaptureFormat.parse(words);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /**
     * Creates the files that were asked for.
     *
     * @param peersElsewhere whether what arrives comes from devices that do not write into the same files
     */
    OpenTraces open(boolean peersElsewhere) {
        OpenTraces traces = new OpenTraces();
        try {
            if (trace != null) {
                addTrace(trace, traces);
            }
            if (capture != null) {
                WriteFailures file = WriteFailures.create(capture);
                PcapngTap tap = PcapngTap.of(file, format, peersElsewhere);
                traces.add(tap, tap::close, file);
            }
        } catch (CommandFailure e) {
            traces.close();
            throw e;
        }
        return traces;
    }

    /** A trace in a file that no option names; none for null. */
    static OpenTraces openAt(@Nullable Path file) {
        OpenTraces traces = new OpenTraces();
        if (file != null) {
            addTrace(file, traces);
        }
        return traces;
    }

    private static void addTrace(Path path, OpenTraces traces) {
        WriteFailures file = WriteFailures.create(path);
        if (path.toString().toLowerCase(Locale.ROOT).endsWith(".txt")) {
            TextTap tap = new TextTap(file);
            traces.add(tap, tap::close, file);
        } else {
            JsonLinesTap tap = new JsonLinesTap(file);
            traces.add(tap, tap::close, file);
        }
    }
}
