/** The Kafka Streams application and its command line. */
@NullMarked
package io.sluice.analyzer;

import org.jspecify.annotations.NullMarked;
