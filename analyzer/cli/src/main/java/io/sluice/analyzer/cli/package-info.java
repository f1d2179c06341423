/** The command line. Start at {@link io.sluice.analyzer.cli.SluiceCommand}. */
@NullMarked
package io.sluice.analyzer.cli;

import org.jspecify.annotations.NullMarked;
