package dev.daybreak.platform.web;

import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.rollout.Draining;
import dev.daybreak.platform.security.ActuatorAccess;
import dev.daybreak.platform.security.Callers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    @Bean
    RouteTable api(ObjectProvider<ApiRoutes> features, Callers callers) {
        return new RouteTable(
                features.orderedStream().flatMap(routes -> routes.rows.stream()).toList(), new Guard(callers));
    }

    @Bean
    Reception reception(Draining draining) {
        return new Reception(draining);
    }

    @Bean
    DirectRoutes directRoutes(RouteTable api, ActuatorAccess actuator, ServerCodecConfigurer codecs) {
        return new DirectRoutes(api, actuator, codecs);
    }

    @Bean
    JsonAnswers jsonAnswers(JsonMapper mapper) {
        return new JsonAnswers(mapper);
    }

    @Bean
    RouteCatalogue routeCatalogue(ObjectProvider<RouterFunction<?>> functions) {
        return new RouteCatalogue(functions.orderedStream().toList());
    }

    @Bean
    UnmatchedRequests unmatchedRequests(ObjectProvider<RouteCatalogue> routes, ProblemResponses responses) {
        return new UnmatchedRequests(routes, responses);
    }

    @Bean
    ApiDescription apiDescription(
            RouteCatalogue routes, ProblemResponses problems, ObjectProvider<BuildProperties> build) {
        BuildProperties built = build.getIfAvailable();
        String version = built == null ? null : built.getVersion();
        return new ApiDescription(routes, problems, version == null ? "development" : version);
    }
}
