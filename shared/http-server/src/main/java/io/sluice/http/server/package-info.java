/** A bounded HTTP/1.1 server, for the analyzer's pages and for the sidecar: slow, many and malformed clients cost it little. */
@NullMarked
package io.sluice.http.server;

import org.jspecify.annotations.NullMarked;
