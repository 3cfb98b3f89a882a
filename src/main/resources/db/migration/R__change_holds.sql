-- Extends, releases and confirms holds, a batch at a time: one row is answered for each request, in the same order. A hold is
-- its token's: p_tokens are hashes, compared with the stored ones. Whether it has expired is decided by p_now, whatever the row
-- still says. The slot is told where its seat was given back.
--
-- Several requests for one hold are decided one after the other, each in a turn of its own.
CREATE OR REPLACE FUNCTION change_holds(p_ids bigint[], p_changes text[], p_tokens text[], p_now timestamptz, p_until timestamptz,
                                        p_cap_seconds double precision)
    RETURNS TABLE (ord integer, outcome text, expires_at timestamptz, slot_id bigint, doctor_id bigint, start_at timestamptz,
                   end_at timestamptz, capacity integer, booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    cap      interval := make_interval(secs => p_cap_seconds);
    releases bigint[] := ARRAY(SELECT u.id FROM unnest(p_ids, p_changes) AS u (id, change) WHERE u.change = 'RELEASE');
    slots    bigint[] := '{}'; -- the locked ones, of holds that may be released
    outcomes text[] := array_fill(NULL::text, ARRAY [cardinality(p_ids)]);
    decided  text[];           -- what this turn decides; NULL for what was decided before or has to wait
BEGIN
    IF cardinality(releases) > 0 THEN
        slots := ARRAY(SELECT a.slot_id FROM appointment a WHERE a.id = ANY (releases) AND a.status = 'HELD');
        PERFORM 1 FROM time_slot WHERE id = ANY (slots) ORDER BY id FOR NO KEY UPDATE;
    END IF;
    PERFORM 1 FROM appointment WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE;

    LOOP
        SELECT array_agg(CASE
                   WHEN u.outcome IS NOT NULL OR u.turn > 1 THEN NULL
                   WHEN a.hold_tokens IS NULL THEN 'NOT_FOUND'
                   WHEN u.token IS NULL OR NOT u.token = ANY (a.hold_tokens) THEN 'FORBIDDEN'
                   WHEN a.status = 'EXPIRED' OR a.status = 'HELD' AND a.hold_expires_at <= p_now THEN 'EXPIRED'
                   WHEN a.status IN ('BOOKED', 'PAST') AND u.change = 'CONFIRM' THEN 'WAS_CONFIRMED'
                   WHEN a.status = 'CANCELLED' AND u.change = 'RELEASE' THEN 'WAS_RELEASED'
                   WHEN a.status <> 'HELD' THEN 'NOT_FOUND'
                   WHEN u.change = 'CONFIRM' THEN 'CONFIRMED'
                   WHEN u.change = 'RELEASE' AND a.slot_id = ANY (slots) THEN 'RELEASED'
                   WHEN u.change = 'RELEASE' THEN 'MOVED'
                   WHEN a.hold_expires_at >= a.created_at + cap THEN 'LIMIT'
                   WHEN p_until > a.hold_expires_at THEN 'EXTENDED'
                   ELSE 'WAS_EXTENDED'
               END ORDER BY u.ord)
        INTO decided
        FROM (SELECT o.*, row_number() OVER (PARTITION BY o.id, o.outcome IS NULL ORDER BY o.ord) AS turn
              FROM unnest(p_ids, p_changes, p_tokens, outcomes) WITH ORDINALITY AS o (id, change, token, outcome, ord)) u
        LEFT JOIN LATERAL (SELECT * FROM appointment t WHERE t.id = u.id LIMIT 1) a ON true;

        IF array_position(decided, 'MOVED') IS NOT NULL THEN
            RAISE EXCEPTION 'a hold went to another slot before it could be locked' USING ERRCODE = 'serialization_failure';
        END IF;

        WITH changed AS (
            UPDATE appointment a
            SET status = CASE d.change WHEN 'CONFIRMED' THEN 'BOOKED' WHEN 'RELEASED' THEN 'CANCELLED' ELSE a.status END,
                revision = a.revision + CASE WHEN d.change = 'EXTENDED' THEN 0 ELSE 1 END,
                hold_expires_at = CASE WHEN d.change = 'EXTENDED' THEN least(p_until, a.created_at + cap) ELSE a.hold_expires_at END,
                cancelled_at = CASE WHEN d.change = 'RELEASED' THEN p_now END,
                cancelled_by = CASE WHEN d.change = 'RELEASED' THEN 'patient' END,
                history = CASE WHEN d.change = 'EXTENDED' THEN a.history
                    ELSE coalesce(a.history, '[]') || jsonb_build_array(
                        jsonb_build_object('at', p_now, 'by', 'patient', 'change', d.change)) END
            FROM unnest(p_ids, decided) AS d (id, change)
            WHERE a.id = d.id AND d.change IN ('CONFIRMED', 'RELEASED', 'EXTENDED')
            RETURNING a.id, a.slot_id, a.patient_id, a.start_at, a.end_at, a.revision, d.change),
        lowered AS (
            UPDATE time_slot s SET booked_count = s.booked_count - f.seats, version = s.version + 1
            FROM (SELECT c.slot_id, count(*)::integer AS seats FROM changed c WHERE c.change = 'RELEASED' GROUP BY c.slot_id) f
            WHERE s.id = f.slot_id)
        INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
        SELECT 'appointment', c.id::text,
               CASE WHEN c.change = 'CONFIRMED' THEN 'AppointmentConfirmed' ELSE 'AppointmentCancelled' END,
               CASE WHEN c.change = 'CONFIRMED' THEN e.payload
                   ELSE e.payload || jsonb_build_object('cancelledBy', 'patient', 'released', true) END, p_now
        FROM changed c
        CROSS JOIN LATERAL (SELECT jsonb_build_object('schemaVersion', 1, 'appointmentId', c.id, 'slotId', c.slot_id, 'patientId', c.patient_id,
                                'startAt', c.start_at, 'endAt', c.end_at, 'revision', c.revision) AS payload) e
        WHERE c.change <> 'EXTENDED';

        SELECT array_agg(coalesce(o.outcome, o.decided) ORDER BY o.ord) INTO outcomes
        FROM unnest(outcomes, decided) WITH ORDINALITY AS o (outcome, decided, ord);
        EXIT WHEN array_position(outcomes, NULL) IS NULL;
    END LOOP;

    RETURN QUERY
        SELECT u.ord::integer, u.outcome, a.hold_expires_at, s.id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count,
               s.opens_at, s.closed, s.version
        FROM unnest(p_ids, outcomes) WITH ORDINALITY AS u (id, outcome, ord)
        LEFT JOIN LATERAL (SELECT * FROM appointment t WHERE t.id = u.id LIMIT 1) a ON true
        LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE u.outcome = 'RELEASED' AND t.id = a.slot_id LIMIT 1) s ON true
        ORDER BY u.ord;
END
$$;
