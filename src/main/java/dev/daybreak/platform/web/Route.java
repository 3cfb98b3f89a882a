package dev.daybreak.platform.web;

import org.springframework.http.HttpMethod;

/**
 * One method of one path pattern that the service answers.
 *
 * @param pattern in Spring's syntax, such as {@code /api/appointments/{id}}
 */
public record Route(HttpMethod method, String pattern) {}
