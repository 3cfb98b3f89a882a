package dev.daybreak.availability.day;

import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotView;
import java.time.Instant;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes a slot as every client of the read side sees it. */
public final class SlotJson {

    private final ObjectWriter writer;

    public SlotJson(JsonMapper mapper) {
        this.writer = mapper.writerFor(SlotView.class);
    }

    /** The JSON object, in UTF-8 and on one line, with the state the slot has at that moment. */
    public byte[] of(Slot slot, Instant now) {
        return writer.writeValueAsBytes(SlotView.of(slot, now));
    }
}
