package dev.daybreak.platform.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem as clients see it, for the OpenAPI description only. */
@Schema(name = "Problem", description = "Why a request was refused or failed, after RFC 9457")
record ProblemDocument(
        @Schema(description = "Identifies the kind of problem", example = "/problems/slot-full")
        URI type,

        @Schema(description = "The kind of problem in a few words, in the client's language")
        String title,

        @Schema(description = "The HTTP status") int status,

        @Schema(description = "What happened and what to do next, in the client's language")
        String detail,

        @Schema(description = "The path of the request") String instance,

        @Schema(description = "The kind of problem for programs")
        String code,

        @Schema(description = "When it happened") Instant timestamp,

        @Schema(description = "What is wrong with which field") @Nullable
        List<Violated> violations) {

    @Schema(name = "Violation", description = "What is wrong with one field")
    record Violated(
            @Schema(description = "The field, with its place in the body", example = "breaks[0].startTime")
            String field,

            @Schema(description = "The rule it breaks, for programs", example = "required")
            String rule,

            @Schema(description = "The rule in the client's language")
            String message) {}
}
