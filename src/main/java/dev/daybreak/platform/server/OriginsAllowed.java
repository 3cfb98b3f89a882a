package dev.daybreak.platform.server;

import java.util.List;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether pages of any other origin may call the API: otherwise nothing of CORS is there. */
final class OriginsAllowed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return !Binder.get(context.getEnvironment())
                .bind("daybreak.web.cors.origins", Bindable.listOf(String.class))
                .orElse(List.of())
                .isEmpty();
    }
}
