/** Who asks for most, as far as a bounded memory can tell. Start at {@link io.sluice.analyzer.top.TopSubjects}. */
@NullMarked
package io.sluice.analyzer.top;

import org.jspecify.annotations.NullMarked;
