-- What patients are told, and how they can be reached. A message is one row for an event and a channel, so that an event that
-- comes twice makes it once. It has no address: that is looked up in patient_contact when it is sent, and kept nowhere else.
CREATE TABLE patient_contact (
    patient_id  bigint      PRIMARY KEY,
    email       text,
    phone       text,                        -- E.164
    language    text        NOT NULL,
    sms_consent boolean     NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT chk_contact_language CHECK (language IN ('en', 'ko', 'ja'))
);

CREATE TABLE notification (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- orders the messages about one appointment
    event_id          uuid        NOT NULL, -- of the outbox; of a reminder, made of the appointment and its start
    channel           text        NOT NULL,
    kind              text        NOT NULL,
    appointment_id    bigint      NOT NULL,
    patient_id        bigint      NOT NULL,
    start_at          timestamptz NOT NULL, -- what the message says; void once the appointment has another
    end_at            timestamptz NOT NULL,
    previous_start_at timestamptz,
    status            text        NOT NULL,
    attempts          integer     NOT NULL DEFAULT 0,
    last_error        text,                 -- why it was skipped, has failed, or is tried again
    next_attempt_at   timestamptz,          -- of a pending one; while it is being sent, when somebody else may take over
    created_at        timestamptz NOT NULL,
    sent_at           timestamptz,
    subject           text,                 -- as it was sent
    body              text,
    CONSTRAINT chk_notification_channel CHECK (channel IN ('EMAIL', 'SMS')),
    CONSTRAINT chk_notification_kind CHECK (kind IN ('BOOKED', 'CONFIRMED', 'MOVED', 'CANCELLED', 'REMINDER')),
    CONSTRAINT chk_notification_status CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'SKIPPED')),
    CONSTRAINT chk_notification_pending CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
    CONSTRAINT uq_notification_event UNIQUE (event_id, channel)
);
-- What is due, and whether an earlier message about the same appointment still is.
CREATE INDEX ix_notification_due ON notification (channel, next_attempt_at, id) WHERE status = 'PENDING';
CREATE INDEX ix_notification_before ON notification (appointment_id, channel, id) WHERE status = 'PENDING';
-- What staff ask for.
CREATE INDEX ix_notification_patient ON notification (patient_id, id);
CREATE INDEX ix_notification_failed ON notification (id) WHERE status = 'FAILED';
