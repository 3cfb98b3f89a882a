-- Appointments of long ago are filed: they stay where they are, but leave the indexes that a booking writes to. Keys and
-- patients come in no order, so each booking changes a page of its own in these indexes, and with a year of history every one
-- of them comes from the disk and goes whole into the log. A filed appointment that was booked has the status PAST, which is
-- shown as BOOKED.
ALTER TABLE appointment
    ADD COLUMN filed boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT chk_appointment_status,
    ADD CONSTRAINT chk_appointment_status CHECK (status IN ('HELD', 'BOOKED', 'CANCELLED', 'EXPIRED') OR status = 'PAST' AND filed),
    DROP CONSTRAINT uq_idempotency_key;
CREATE UNIQUE INDEX uq_idempotency_key ON appointment (idempotency_key) WHERE NOT filed;
-- One appointment a key for ever: whoever inserts looks here afterwards. By a hash, which is a third of the size.
CREATE INDEX ix_filed_key ON appointment (hashtextextended(idempotency_key, 0)) WHERE filed;

DROP INDEX ix_ended_appointment_patient;
CREATE INDEX ix_ended_appointment_patient ON appointment (patient_id, start_at) WHERE status IN ('CANCELLED', 'EXPIRED', 'PAST');

-- How far the filing has come, by id. Ids rise with the time of booking; who is not past yet at the first visit gets another one
-- a year later.
CREATE TABLE filing (
    visit integer PRIMARY KEY,
    upto  bigint  NOT NULL
);
INSERT INTO filing (visit, upto) VALUES (1, 0), (2, 0);
