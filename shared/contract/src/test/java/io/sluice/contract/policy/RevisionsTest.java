package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionsTest {
    private static final String COUNTED =
            "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'measure':'requests','window':'1m','panes':60";
    private static final String RULES = ",'lock':{'when':[{'above':100}]}";

    @Test
    void aRevisionIsTheNameAndTheSameForEver() throws InvalidPolicies {
        // pinned: windows of a running analyzer are stored under it
        assertThat(Policies.policy(COUNTED + RULES).revision()).isEqualTo("one@400a46f95fa7fba7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'match':{'service':'billing','method':['GET','POST']},'per':['caller']",
                "'match':{'service':'orders','method':['GET','POST'],'not':{'caller':'x'}},'per':['caller']",
                "'match':{'service':'orders','method':['GET','POST']},'per':['service']",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller','service']",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'measure':'bytes'",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'measure':{'distinct':'route'}",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'window':'2m'",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'panes':30"
            })
    void aPolicyThatCountsSomethingElseHasAnotherRevision(String counted) throws InvalidPolicies {
        assertThat(Policies.policy(counted + RULES).revision())
                .startsWith("one@")
                .isNotEqualTo(Policies.policy(COUNTED + RULES).revision());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'per':['caller'],'match':{'method':['POST','GET'],'service':'orders'},'lock':{'when':[{'above':100}]}",
                "'match':{'service':['orders'],'method':['get','post','GET']},'per':'caller','window':'60s','lock':{'when':[{'above':100}]}",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'lock':{'when':[{'above':7}],'mode':'shadow','for':'1h'}",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'limit':{'rate':'1/s'}",
                "'match':{'service':'orders','method':['GET','POST']},'per':['caller'],'lock':{'when':[{'above':100}]},"
                        + "'overrides':[{'match':{'caller':'a'},'lock':{'release':'10%'}}]"
            })
    void aPolicyThatCountsTheSameHasTheSameRevision(String body) throws InvalidPolicies {
        assertThat(Policies.policy(body).revision())
                .isEqualTo(Policies.policy(COUNTED + RULES).revision());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'caller':'b'},{'caller':'a','method':'PUT'}]",
                "[{'method':'put','caller':'a'},{'caller':'b'},{'caller':'a','method':'PUT'}]"
            })
    void exceptionsInAnotherOrderOrTwice_haveTheSameRevision(String nots) throws InvalidPolicies {
        assertThat(Policies.policy("'match':{'not':" + nots + "},'per':['caller']" + RULES)
                        .revision())
                .isEqualTo(Policies.policy(
                                "'match':{'not':[{'caller':'a','method':'PUT'},{'caller':'b'}]},'per':['caller']"
                                        + RULES)
                        .revision());
    }

    @Test
    void anExceptionTwice_isWrittenAsOne() throws InvalidPolicies {
        assertThat(Policies.policy("'match':{'not':[{'caller':'a'},{'caller':'a'}]},'per':[]" + RULES)
                        .match())
                .hasToString("{\"not\":{\"caller\":\"a\"}}");
    }

    @Test
    void aSetHasTheSameRevisionHoweverItIsWritten() throws InvalidPolicies {
        PolicySet terse = Policies.set("{'policies':[{'name':'one','per':'caller','lock':{'when':{'above':5}}}]}");
        PolicySet verbose = Policies.set(
                "{'enforce':true,'version':1,'allow':[],'guard':{'subjects':'10%'},'policies':["
                        + "{'per':['caller'],'window':'60s','lock':{'for':'300s','when':[{'above':5.0}],'mode':'block'},'name':'one'}]}");

        assertThat(verbose).isEqualTo(terse);
        assertThat(verbose.revision()).matches("[0-9a-f]{16}");
    }

    @Test
    void aSetThatMeansSomethingElseHasAnotherRevision() throws InvalidPolicies {
        PolicySet one = Policies.set("{'policies':[{'name':'one','per':[],'lock':{'when':{'above':5}}}]}");
        PolicySet other = Policies.set("{'policies':[{'name':'one','per':[],'lock':{'when':{'above':6}}}]}");
        PolicySet reporting =
                Policies.set("{'enforce':false,'policies':[{'name':'one','per':[],'lock':{'when':{'above':5}}}]}");

        assertThat(one.revision()).isNotIn(other.revision(), reporting.revision());
    }
}
