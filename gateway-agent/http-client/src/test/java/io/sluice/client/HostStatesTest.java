package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HostStatesTest {
    private final HostStates hosts = new HostStates(RetryPolicy.usual());

    private HostState enter(String uri, long now) {
        return hosts.enter(URI.create(uri), now);
    }

    @Test
    void aHostIsSchemeNameAndPort() {
        HostState host = enter("https://api.example/a", 0);
        assertThat(enter("HTTPS://API.example:443/b?c", 0)).isSameAs(host);
        assertThat(enter("http://api.example/a", 0)).isNotSameAs(host);
        assertThat(enter("https://api.example:8443/a", 0)).isNotSameAs(host);
    }

    @Test
    void theLongerOfTwoWordsCounts() {
        HostState host = enter("http://a/", 0);
        host.close(50);
        host.close(20);
        assertThat(host.closedFor(49)).isEqualTo(1);
        assertThat(host.closedFor(50)).isZero();
        assertThat(host.closedFor(51)).isZero();
    }

    @Test
    void idleHostsAreForgottenWhenThereAreManyAndOthersAreNot() {
        HostState closed = enter("http://closed/", 0);
        closed.close(100);
        closed.leave(0);
        HostState busy = enter("http://busy/", 0);
        HostState spent = enter("http://spent/", 0);
        spent.budget().withdraw();
        spent.leave(0);
        for (int i = 0; i < 3 * HostStates.MOST; i++) {
            enter("http://h" + i + "/", 0).leave(0);
        }
        assertThat(hosts.size()).isLessThanOrEqualTo(HostStates.MOST);
        assertThat(enter("http://closed/", 0)).isSameAs(closed);
        assertThat(enter("http://busy/", 0)).isSameAs(busy);
        assertThat(enter("http://spent/", 0)).isSameAs(spent);
    }

    @Test
    void hostsThatNeededARetryAreForgottenTooWhenNobodyCallsThemForLong() {
        for (int i = 0; i < HostStates.MOST; i++) {
            HostState host = enter("http://h" + i + "/", 0);
            host.budget().withdraw();
            host.leave(0);
        }
        long later = TimeUnit.HOURS.toNanos(1);
        HostState one = enter("http://x/", later);
        assertThat(enter("http://y/", later)).isNotSameAs(one);
    }

    @Test
    void hostsBeyondTheBoundShareOne() {
        for (int i = 0; i < HostStates.MOST; i++) {
            enter("http://h" + i + "/", 0);
        }
        HostState other = enter("http://x/", 0);
        assertThat(enter("http://y/", 0)).isSameAs(other);
        assertThat(hosts.size()).isEqualTo(HostStates.MOST);
    }
}
