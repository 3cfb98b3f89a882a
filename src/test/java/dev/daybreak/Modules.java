package dev.daybreak;

import java.util.stream.Stream;
import org.springframework.modulith.core.ApplicationModuleDetectionStrategy;
import org.springframework.modulith.core.JavaPackage;

/**
 * What counts as a module: each feature package, and each package of the platform, which is a shelf of small technical
 * modules rather than one with a hidden inside.
 */
public final class Modules implements ApplicationModuleDetectionStrategy {

    @Override
    public Stream<JavaPackage> getModuleBasePackages(JavaPackage root) {
        return root.getDirectSubPackages().stream()
                .flatMap(feature -> feature.getName().endsWith(".platform")
                        ? feature.getDirectSubPackages().stream()
                        : Stream.of(feature));
    }
}
