package dev.daybreak.platform.security;

import dev.daybreak.platform.problem.ProblemCode;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/**
 * Looks up whose the things of one kind are.
 *
 * @param unknown the answer where there is no such thing, and to whom it is none of their business
 * @param find the owner by the thing's id; empty if there is no such thing
 */
public record Ownership(ProblemCode unknown, LongFunction<Mono<Owner>> find) {}
