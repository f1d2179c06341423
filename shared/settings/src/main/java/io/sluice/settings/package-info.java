/**
 * Configuration: {@code sluice.yml} with the environment over it, and YAML as the tree that policies are read from. Start
 * at {@link io.sluice.settings.SluiceSettings}.
 */
@NullMarked
package io.sluice.settings;

import org.jspecify.annotations.NullMarked;
