-- What the relay needs to know of an event, and its indexes. An event waits until it is published or, having failed too often,
-- dead. Rows are read by partition, sixteen of them by the hash of the aggregate, each in the order of writing.
ALTER TABLE outbox_event
    ADD COLUMN next_attempt_at timestamptz, -- after a failure; until then it and what follows of its aggregate wait
    ADD COLUMN dead_at         timestamptz,
    ADD COLUMN last_error      text;

CREATE INDEX ix_outbox_waiting ON outbox_event ((hashtext(aggregateid) & 15), seq) WHERE published_at IS NULL AND dead_at IS NULL;
-- A handful of rows each.
CREATE INDEX ix_outbox_later ON outbox_event (aggregateid, seq)
    WHERE next_attempt_at IS NOT NULL AND published_at IS NULL AND dead_at IS NULL;
CREATE INDEX ix_outbox_dead ON outbox_event (seq) WHERE dead_at IS NOT NULL;

-- Each row is written, marked once and removed after a while.
ALTER TABLE outbox_event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- How many events were removed after their time, and the youngest of them: what the audit does not find is there.
CREATE TABLE outbox_pruned (
    aggregatetype text        PRIMARY KEY,
    events        bigint      NOT NULL,
    latest        timestamptz NOT NULL
);
