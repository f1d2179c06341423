package io.sluice.benchmarks.measure;

/** One subject of measurement: everything that {@code benchmarks/run NAME} does. */
public interface Benchmark {

    /** The word on the command line. */
    String name();

    /** One line for the list of benchmarks. */
    String purpose();

    /**
     * Measures, and tells the report what came out.
     *
     * @throws Exception when something could not be measured; the run fails
     */
    void run(Scale scale, Report report) throws Exception;
}
