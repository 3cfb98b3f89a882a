package dev.daybreak.admission;

import dev.daybreak.booking.Booking;
import dev.daybreak.booking.BookingDesk;
import dev.daybreak.platform.redis.RedisCircuit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AdmissionSettings.class)
class AdmissionConfiguration {

    @Bean
    FullMarks fullMarks(
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            Booking booking,
            AdmissionSettings settings,
            Clock clock) {
        return new FullMarks(redis, circuit, booking, settings, clock);
    }

    /** In front of {@link Booking}: whoever asks for a desk gets the gate. */
    @Bean
    @Primary
    BookingDesk gate(
            Booking booking,
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            FullMarks marks,
            AdmissionSettings settings,
            Clock clock,
            MeterRegistry meters) {
        return new Gate(
                booking,
                new RedisGate(redis, circuit, settings, meters),
                new LocalLimiter(settings, clock),
                marks,
                settings,
                new GateMetrics(meters));
    }
}
