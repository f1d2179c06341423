package io.sluice.contract.policy;

import io.sluice.contract.event.RequestAttributes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of the attributes that a policy counts by. */
public final class Subjects {
    private Subjects() {}

    /**
     * The subject that a request belongs to, in {@code per} order; empty when {@code per} is.
     *
     * @return {@code null} when the request lacks one of the attributes: it is not counted then
     */
    public static @Nullable List<String> of(List<Attribute> per, RequestAttributes request) {
        String[] values = new String[per.size()];
        for (int i = 0; i < values.length; i++) {
            String value = per.get(i).valueOf(request);
            if (value == null) {
                return null;
            }
            values[i] = value;
        }
        return Arrays.asList(values);
    }
}
