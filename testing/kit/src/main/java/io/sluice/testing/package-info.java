/** Shared by the tests of all modules. */
@NullMarked
package io.sluice.testing;

import org.jspecify.annotations.NullMarked;
