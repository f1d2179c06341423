package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The demo's policies for machines of any speed: by default a caller is locked for some hundred requests in five seconds, which a slow machine never
 * serves. These lock it for so many in a minute, more than a well-behaved caller makes, and for longer than an analyzer may be late to renew the lock.
 */
final class PatientPolicies {
    private PatientPolicies() {}

    /** For the demo, with what its warm-up sends: ten requests a second lock. */
    static String of(String demo) {
        return above(500, demo);
    }

    /** For traffic at a tenth of the usual rate: four requests a second lock. */
    static String ofTenth(String demo) {
        return above(200, demo);
    }

    private static String above(int inAMinute, String demo) {
        String patient = demo.replace("window: 5s", "window: 1m")
                .replace("above: 1000", "above: " + inAMinute)
                .replace("for: 15s", "for: 5m");
        assertThat(patient).contains("window: 1m", "above: " + inAMinute + " }", "for: 5m");
        return patient;
    }
}
