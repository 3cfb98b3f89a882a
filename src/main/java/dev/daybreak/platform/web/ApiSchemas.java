package dev.daybreak.platform.web;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * The schemas of Java types. A component of a record is required and never null unless it is {@code @Nullable}, which is
 * what the code itself says.
 */
final class ApiSchemas {

    private final Components components;

    ApiSchemas(Components components) {
        this.components = components;
    }

    Schema<?> of(Class<?> type) {
        return resolve(type);
    }

    Schema<?> listOf(Class<?> element) {
        return resolve(ResolvableType.forClassWithGenerics(List.class, element).getType());
    }

    private Schema<?> resolve(Type type) {
        var resolved =
                ModelConverters.getInstance(true).resolveAsResolvedSchema(new AnnotatedType(type).resolveAsRef(true));
        resolved.referencedSchemas.forEach((name, schema) -> {
            if (components.getSchemas() == null || !components.getSchemas().containsKey(name)) {
                components.addSchemas(name, schema);
            }
        });
        refine(type);
        return resolved.schema;
    }

    private void refine(Type type) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                refine(argument);
            }
        }
        if (type instanceof Class<?> record && record.isRecord() && components.getSchemas() != null) {
            Schema<?> schema = components.getSchemas().get(name(record));
            if (schema != null && schema.getRequired() == null) {
                for (RecordComponent component : record.getRecordComponents()) {
                    refine(schema, component);
                    refine(component.getGenericType());
                }
            }
        }
    }

    private static void refine(Schema<?> schema, RecordComponent component) {
        boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        if (!nullable) {
            schema.addRequiredItem(component.getName());
            return;
        }
        Schema<?> property =
                schema.getProperties() == null ? null : schema.getProperties().get(component.getName());
        if (property != null && property.getTypes() != null) {
            property.addType("null");
        }
    }

    private static String name(Class<?> type) {
        var named = type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return named == null || named.name().isEmpty() ? type.getSimpleName() : named.name();
    }
}
