package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Field;
import org.junit.jupiter.api.Test;

class PolicyFieldsTest {

    @Test
    void aPolicyPerCallerNeedsNothingButTheCaller() throws Exception {
        assertThat(PolicyFields.of(
                        Policies.set("{'policies':[{'name':'a','per':['caller'],'lock':{'when':[{'above':1}]}}]}")))
                .containsExactly(Field.CALLER);
    }

    @Test
    void whatIsMatchedExcludedOverriddenAllowedAndSummedIsNeeded() throws Exception {
        PolicySet set = Policies.set(
                "{'allow':[{'ip':'10.0.0.0/8'}],'policies':[{'name':'a','match':{'service':'orders','not':{'method':'GET'}},"
                        + "'per':['caller','route'],'measure':'bytes','lock':{'when':[{'above':1}]}},"
                        + "{'name':'b','per':['caller'],'limit':{'rate':'1/s'},"
                        + "'overrides':[{'match':{'labels.plan':'gold'},'limit':{'rate':'2/s'}}]},"
                        + "{'name':'c','per':['caller'],'measure':'millis','lock':{'when':[{'above':1}]}}]}");

        assertThat(PolicyFields.of(set))
                .containsExactlyInAnyOrder(
                        Field.IP,
                        Field.SERVICE,
                        Field.METHOD,
                        Field.CALLER,
                        Field.ROUTE,
                        Field.BYTES,
                        Field.LABELS,
                        Field.MILLIS);
    }

    @Test
    void noPoliciesNeedNothing() throws Exception {
        assertThat(PolicyFields.of(Policies.set("{'policies':[]}"))).isEmpty();
    }
}
