/** Pseudonyms of callers and addresses, which hide who they are from everything behind the service. */
@NullMarked
package io.sluice.contract.pseudonym;

import org.jspecify.annotations.NullMarked;
