package io.sluice.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parser of HTTP dates: the current format and the two obsolete ones that recipients must accept (RFC 9110, 5.6.7). */
final class HttpDate {
    private static final int NEXT_YEARS = 50;
    private static final DateTimeFormatter TODAYS =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US);
    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

    private HttpDate() {}

    /** @param now determines the century of two-digit years: at most 50 years ahead */
    static Optional<Instant> parse(String text, Instant now) {
        int first = now.atOffset(ZoneOffset.UTC).getYear() - (99 - NEXT_YEARS);
        DateTimeFormatter rfc850 = new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, first)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.US);
        for (DateTimeFormatter form : List.of(TODAYS, rfc850, ASCTIME)) {
            try {
                return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
            } catch (DateTimeException e) {
                // perhaps the next form
            }
        }
        return Optional.empty();
    }
}
