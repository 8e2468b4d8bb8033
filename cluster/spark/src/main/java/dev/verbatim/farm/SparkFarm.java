// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import dev.verbatim.cli.Main;
import java.io.PrintWriter;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import scala.Function2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.runtime.BoxedUnit;

/** Divides {@code explore} or {@code litmus} among the executors of a Spark cluster, and joins what they found. */
@Command(
        name = "spark-submit --class dev.verbatim.farm.SparkFarm JARS",
        description = {
            "Runs parts of 'explore' or 'litmus' as tasks of Spark, and prints what one process would have printed.",
            "Master, memory and the like are those of spark-submit. See docs/many-machines.md."
        },
        mixinStandardHelpOptions = true)
public final class SparkFarm implements Callable<Integer> {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int EMPTY_TASKS = 2_000;

    /** Of a machine, in the table of {@code --scaling}. */
    private static final int CORES = 2;

    private static final int USAGE = CommandLine.ExitCode.USAGE;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--parts",
            paramLabel = "N",
            description = "Into how many parts the job is divided. Default: four for each core of the cluster.")
    private @Nullable Integer parts;

    @Option(
            names = "--results",
            paramLabel = "FILE",
            required = true,
            description = "Where each part goes when it ends; parts that are there already do not run again.")
    private Path results;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Option(
            names = "--scaling",
            description =
                    "Also say, from the times of the parts, how long a longer job would take on up to 10,000 machines.")
    private boolean scaling;

    @Parameters(
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "'explore' or 'litmus' with its options, without --shard and --json.")
    private List<String> command = List.of();

    private final SparkConf conf;

    /** Of the parts that have ended. */
    private final List<Double> seconds = new ArrayList<>();

    SparkFarm(SparkConf conf) {
        this.conf = conf;
    }

    /** Runs with the settings of {@code spark-submit}, and exits with 0 if nothing was found, 1 if something was, and 2 for a wrong word. */
    public static void main(String... args) {
        System.exit(commandLine(new SparkConf()).execute(args));
    }

    static CommandLine commandLine(SparkConf conf) {
        return new CommandLine(new SparkFarm(conf.setIfMissing("spark.app.name", "verbatim")))
                .setStopAtPositional(true);
    }

    @Override
    public Integer call() {
        if (!List.of("explore", "litmus").contains(command.get(0))) {
            throw wrong("'" + command.get(0) + "' is not divided into parts; name 'explore' or 'litmus'");
        }
        for (String word : command) {
            if (word.startsWith("--shard") || word.equals("--json")) {
                throw wrong(word
                        + " of the command is said by its parts; leave it out, and specify --parts or --json before");
            }
        }
        ResultFile file = resultFile();
        long began = System.nanoTime();
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            spark.parallelize(List.of(0), 1).count();
            long started = System.nanoTime() - began;
            int count = parts == null ? 4 * spark.defaultParallelism() : parts;
            if (count < 1) {
                throw wrong("--parts=" + count + " is not at least 1");
            }
            List<Integer> todo = IntStream.rangeClosed(1, count)
                    .filter(number -> !file.complete().contains(number))
                    .boxed()
                    .toList();
            // At least one, which says whether what is there is of this job.
            run(spark, todo.isEmpty() ? List.of(1) : todo, count, file);
            if (scaling) {
                out().print(new Scaling(seconds, started / NANOS_PER_SECOND, dispatch(spark)).table(CORES));
            }
        }
        List<String> merge = new ArrayList<>(List.of("merge", results.toString()));
        if (json) {
            merge.add("--json");
        }
        return Main.run(out(), err(), merge.toArray(String[]::new));
    }

    private ResultFile resultFile() {
        try {
            return new ResultFile(results);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** A task for each part. Spark runs one again whose executor was lost; what was found is no failure of a task. */
    private void run(JavaSparkContext spark, List<Integer> todo, int count, ResultFile file) {
        List<String> words = new ArrayList<>(command);
        JavaRDD<Part> rdd = spark.parallelize(todo, todo.size()).map(number -> Part.run(words, number, count));
        Function2<TaskContext, Iterator<Part>, Part> first =
                (Function2<TaskContext, Iterator<Part>, Part> & Serializable) (context, parts) -> parts.next();
        Function2<Object, Part, BoxedUnit> ended = (index, part) -> {
            ended(part, count, file);
            return BoxedUnit.UNIT;
        };
        List<Object> all =
                new ArrayList<>(IntStream.range(0, todo.size()).boxed().toList());
        try {
            spark.sc()
                    .runJob(
                            rdd.rdd(),
                            first,
                            CollectionConverters.asScala(all).toSeq(),
                            ended,
                            ClassTag.apply(Part.class));
        } catch (Exception e) { // Spark's is not declared
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof ParameterException refused) {
                    throw refused;
                }
            }
            throw e;
        }
    }

    /** Seconds for a task that does nothing. */
    private static double dispatch(JavaSparkContext spark) {
        List<Integer> tasks = IntStream.range(0, EMPTY_TASKS).boxed().toList();
        long began = System.nanoTime();
        spark.parallelize(tasks, EMPTY_TASKS).count();
        return (System.nanoTime() - began) / NANOS_PER_SECOND / EMPTY_TASKS;
    }

    private void ended(Part part, int count, ResultFile file) {
        if (part.exitCode() == USAGE) {
            throw wrong(part.err().strip().replaceFirst("^verbatim: ", ""));
        }
        try {
            file.add(part);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        seconds.add(part.nanos() / NANOS_PER_SECOND);
        err().printf(
                        Locale.ROOT,
                        "part %d/%d in %.1f s%s; %d are done%n",
                        part.number(),
                        count,
                        part.nanos() / NANOS_PER_SECOND,
                        part.exitCode() == 0 ? "" : ", with findings",
                        file.complete().size());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
