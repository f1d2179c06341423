/**
 * Log formats: bytes become request events. Start at {@link io.sluice.analyzer.ingest.LogFormats}.
 *
 * <p>A line of a log is written by servers but filled by clients, so nothing in it is believed: what cannot be read is a
 * {@link io.sluice.contract.json.MalformedRecord} with a reason, and never any other exception.
 */
@NullMarked
package io.sluice.analyzer.ingest;

import org.jspecify.annotations.NullMarked;
