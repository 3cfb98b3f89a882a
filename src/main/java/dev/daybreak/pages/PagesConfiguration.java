package dev.daybreak.pages;

import dev.daybreak.pages.PagesSettings.SignIn;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PagesSettings.class)
class PagesConfiguration {

    private static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.";
    private static final String JWT = "daybreak.security.jwt.";

    @Bean
    RouterFunction<ServerResponse> pages(PagesSettings settings, Environment environment) throws IOException {
        return new Pages(WebFiles.fromClassPath(), values(settings, environment))
                .page("/", "index.html")
                .page("/print", "print.html")
                .page("/board", "board.html")
                .page("/admin", "admin.html")
                .routes();
    }

    /** What the pages have to know of the settings. */
    private static Map<String, String> values(PagesSettings settings, Environment environment) {
        boolean checksTokens = Stream.of(ISSUER + "issuer-uri", ISSUER + "jwk-set-uri", JWT + "secret")
                .anyMatch(property -> StringUtils.hasText(environment.getProperty(property)));
        SignIn signIn = settings.signIn() != null ? settings.signIn() : checksTokens ? SignIn.TOKEN : SignIn.CHOICE;
        return Map.of(
                "sign-in", signIn.name().toLowerCase(Locale.ROOT),
                "portal", Objects.toString(settings.portalUrl(), ""),
                "patient-claim", environment.getProperty(JWT + "patient-claim", "patient_id"));
    }
}
