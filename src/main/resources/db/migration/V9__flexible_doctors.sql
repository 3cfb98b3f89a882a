-- Doctors who make no slots, but are open for times of 15, 30 or 45 minutes at quarter hours. Their appointments have a doctor
-- instead of a slot, and a constraint of their own; rows with a slot do not enter its index.
ALTER TABLE schedule
    DROP CONSTRAINT chk_schedule_slot,
    ADD CONSTRAINT chk_schedule_slot CHECK (slot_minutes BETWEEN 0 AND 1440), -- 0: flexible, makes no slots
    ADD COLUMN revision integer NOT NULL DEFAULT 1; -- rises with every change; a booking tells which one it has seen
CREATE INDEX ix_schedule_flexible ON schedule (doctor_id) WHERE slot_minutes = 0;

ALTER TABLE appointment
    ALTER COLUMN slot_id DROP NOT NULL,
    ALTER COLUMN requested_slot_id DROP NOT NULL,
    ADD COLUMN doctor_id bigint,        -- set where slot_id is not. No foreign key: its row is locked, and never deleted
    ADD COLUMN requested_opening text,  -- doctor, start and minutes the key was first sent with
    ADD CONSTRAINT chk_slot_or_doctor CHECK ((slot_id IS NULL) <> (doctor_id IS NULL)),
    ADD CONSTRAINT ex_flexible_doctor_overlap EXCLUDE USING gist (doctor_id WITH =, tstzrange(start_at, end_at) WITH &&)
        WHERE (slot_id IS NULL AND status IN ('HELD', 'BOOKED'));
