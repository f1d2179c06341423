/** A client that retries when a limited server allows it: {@link io.sluice.client.PatientHttpClient}. */
@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
