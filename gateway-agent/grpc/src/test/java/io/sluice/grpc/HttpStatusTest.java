package io.sluice.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As google/rpc/code.proto says at each code. */
final class HttpStatusTest {
    @ParameterizedTest
    @CsvSource({
        "OK,200",
        "CANCELLED,499",
        "UNKNOWN,500",
        "INVALID_ARGUMENT,400",
        "DEADLINE_EXCEEDED,504",
        "NOT_FOUND,404",
        "ALREADY_EXISTS,409",
        "PERMISSION_DENIED,403",
        "UNAUTHENTICATED,401",
        "RESOURCE_EXHAUSTED,429",
        "FAILED_PRECONDITION,400",
        "ABORTED,409",
        "OUT_OF_RANGE,400",
        "UNIMPLEMENTED,501",
        "INTERNAL,500",
        "UNAVAILABLE,503",
        "DATA_LOSS,500"
    })
    void aCodeIsTheStatusThatItsDocumentationNames(Status.Code code, int status) {
        assertThat(HttpStatus.of(code)).isEqualTo(status);
    }
}
