/** A log format of one's own, added to the analyzer: the access logs of an AWS Application Load Balancer. */
@NullMarked
package io.sluice.examples.alb;

import org.jspecify.annotations.NullMarked;
