/** The outcome in numbers: {@link io.sluice.demo.story.Outcome}, printed by {@link io.sluice.demo.story.Story} and {@link
 * io.sluice.demo.story.Report}. */
@NullMarked
package io.sluice.demo.story;

import org.jspecify.annotations.NullMarked;
