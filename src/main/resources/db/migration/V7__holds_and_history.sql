-- What an appointment remembers of its life. All of it is empty for one that is booked directly and kept, so that the rush
-- pays nothing for it.
ALTER TABLE appointment
    ADD COLUMN hold_tokens     text[],      -- SHA-256 of the tokens issued for a hold; NULL: never was one
    ADD COLUMN hold_expires_at timestamptz,
    ADD COLUMN created_by      text,        -- NULL: the patient
    ADD COLUMN history         jsonb;       -- what changed after it was made: at, by, change, reason and slots

-- A handful of rows each: holds that are live, or have expired and wait for somebody to notice. By slot for whoever counts
-- those of a slot, by time for whoever frees their seats. The second has the slot too, as the planner cannot tell two nearly
-- empty indexes apart and may take it for the first.
CREATE INDEX ix_held_slot ON appointment (slot_id, hold_expires_at) WHERE status = 'HELD';
CREATE INDEX ix_expiring_hold ON appointment (hold_expires_at, slot_id) WHERE status = 'HELD';
