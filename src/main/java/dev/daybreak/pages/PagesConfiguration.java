package dev.daybreak.pages;

import java.io.IOException;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PagesSettings.class)
class PagesConfiguration {

    @Bean
    RouterFunction<ServerResponse> pages(PagesSettings settings) throws IOException {
        return new Pages(WebFiles.fromClassPath(), settings)
                .page("/", "index.html")
                .page("/print", "print.html")
                .routes();
    }
}
