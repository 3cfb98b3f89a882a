-- Who of the clinic's staff changed what, when and why, written in the transaction of the change. An entry stays as it is: the
-- trigger refuses everybody, the table's owner included, and does so too where triggers are switched off for replication.
CREATE TABLE audit_entry (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL,
    actor        text        NOT NULL,
    address      text,                 -- NULL: not known
    action       text        NOT NULL, -- such as slot.change
    subject_type text        NOT NULL, -- such as slot
    subject_id   bigint,               -- NULL: the whole clinic
    before       jsonb,                -- NULL: there was none
    after        jsonb,                -- NULL: there is none any more
    reason       text
);
CREATE INDEX ix_audit_subject ON audit_entry (subject_type, subject_id, id);
CREATE INDEX ix_audit_actor ON audit_entry (actor, id);
CREATE INDEX ix_audit_at ON audit_entry (at);

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger
    LANGUAGE plpgsql
AS
$$
BEGIN
    RAISE EXCEPTION 'entries of the audit trail are never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER tr_audit_entry_stays
    BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER tr_audit_entry_stays;
