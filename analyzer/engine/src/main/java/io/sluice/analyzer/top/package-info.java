/** The busiest subjects, estimated in bounded memory. Start at {@link io.sluice.analyzer.top.TopSubjects}. */
@NullMarked
package io.sluice.analyzer.top;

import org.jspecify.annotations.NullMarked;
