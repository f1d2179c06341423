package io.sluice.settings;

import java.util.List;

/**
 * A setting as it was found.
 *
 * @param place where: {@code sluice.yml:12}, the name of an environment variable, or {@code default}
 */
record Found(List<String> values, String place) {
    static Found byDefault(String value) {
        return new Found(value.isEmpty() ? List.of() : List.of(value), "default");
    }
}
