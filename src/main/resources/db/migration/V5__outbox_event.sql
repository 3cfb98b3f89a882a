-- Events written in the transaction of the change they tell of, published later. The columns from `id` to `payload` are
-- the ones Debezium's outbox event router expects; `seq` orders the events of one aggregate.
CREATE TABLE outbox_event (
    seq           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id            uuid        NOT NULL DEFAULT gen_random_uuid(),
    aggregatetype text        NOT NULL,
    aggregateid   text        NOT NULL,
    type          text        NOT NULL,
    payload       jsonb       NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    published_at  timestamptz,
    attempts      integer     NOT NULL DEFAULT 0
);
