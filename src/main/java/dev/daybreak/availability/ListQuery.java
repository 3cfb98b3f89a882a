package dev.daybreak.availability;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Which slots of whose day are asked for. */
record ListQuery(DoctorDay day, boolean all) {

    private enum Include {
        offered,
        all
    }

    private static ListQuery read(ServerRequest request, ClinicSettings clinic) {
        Input input = Input.pathAndQuery(request);
        DoctorDay day = DoctorDay.from(input, clinic.zone());
        boolean all = input.choice("include", Include.class, Include.offered) == Include.all;
        input.complete();
        return new ListQuery(day, all);
    }

    /**
     * Reads queries and remembers what the text after the question mark means: everybody asks for the same few days, and
     * reading one took an eighth of the whole request.
     */
    static final class Reader {

        private static final int MAX_KNOWN = 1_000;
        private static final int MAX_DIGITS = 18;

        private final Map<String, Known> known = new ConcurrentHashMap<>();
        private final ClinicSettings clinic;

        private record Known(LocalDate date, ZoneId zone, boolean all) {}

        Reader(ClinicSettings clinic) {
            this.clinic = clinic;
        }

        /** Throws a refusal that names what is wrong. */
        ListQuery read(ServerRequest request) {
            String text = request.uri().getRawQuery();
            Known found = text == null ? null : known.get(text);
            long doctor = found == null ? 0 : plainId(request.pathVariable("id"));
            if (found != null && doctor > 0) {
                return new ListQuery(new DoctorDay(doctor, found.date, found.zone), found.all);
            }
            ListQuery query = ListQuery.read(request, clinic);
            remember(text, query);
            return query;
        }

        private void remember(@Nullable String text, ListQuery query) {
            if (text == null) {
                return;
            }
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            known.put(text, new Known(query.day.date(), query.day.zone(), query.all));
        }

        /** The id, or 0 for what needs a closer look. */
        private static long plainId(String text) {
            if (text.isEmpty() || text.length() > MAX_DIGITS) {
                return 0;
            }
            long id = 0;
            for (int i = 0; i < text.length(); i++) {
                int digit = text.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    return 0;
                }
                id = id * 10 + digit;
            }
            return id;
        }
    }
}
