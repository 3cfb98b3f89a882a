-- Moves a batch of appointments to other slots, decided in order of arrival: a seat left by an earlier move of the batch is
-- there for a later one. The new seat is taken and the old one given back in this one transaction, or nothing changes.
-- All slots, old and new, are locked in id order first; an appointment in a locked slot stays there. One that went elsewhere
-- between reading and locking fails the batch as a serialization failure, and the batch is tried again.
--
-- Requests are taken in runs in which no patient comes twice, so that within a run only seats depend on each other: those
-- are counted in memory, and the run is written at once. The first attempt at a run trusts that patients are free at the
-- new time; if a constraint says otherwise, the next one looks everybody up in a new snapshot and so sees the row that won.
--
-- An appointment that is not at its p_revision any more is left alone, CHANGED. A statement may lie on the way for minutes when a network or PostgreSQL
-- itself stands still, and would be carried out when everybody has long asked for something else.
DROP FUNCTION IF EXISTS move_batch(bigint[], bigint[], text[], timestamptz, timestamptz);
-- The default is for instances of an older version, which call it during an update.
CREATE OR REPLACE FUNCTION move_batch(p_ids bigint[], p_slots bigint[], p_actors text[], p_now timestamptz, p_movable_from timestamptz,
                                      p_revisions integer[] DEFAULT NULL)
    -- One row a request with its ord, and with status and start as they were; and one without for each slot that was locked,
    -- EXPIRED if a hold in it was found to be over.
    RETURNS TABLE (ord integer, outcome text, from_slot_id bigint, status text,
                   slot_id bigint, doctor_id bigint, start_at timestamptz, end_at timestamptz, capacity integer,
                   booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    before    bigint[];      -- the slots the appointments were in before the locks
    earlier   integer[];     -- by ord: the request before this one by the same patient
    locked    bigint[];      -- the slots that exist, ascending
    freed     bigint[];      -- those of them in which a hold had expired
    outcomes  text[] := '{}'; -- these four by ord
    origins   bigint[] := '{}';
    statuses  text[] := '{}';
    departing timestamptz[] := '{}';
    first     integer := 1;  -- the run: requests first to last
    last      integer;
    verdicts  text[];        -- from here on by place in the run
    revisions integer[];
    froms     bigint[];
    states    text[];
    leaving   timestamptz[];
    starts    timestamptz[];
    ends      timestamptz[];
    free      integer[];     -- in the slot that is wanted, before the run
    from_at   integer[];     -- places in locked, found by bisection
    to_at     integer[];
    seats     integer[];     -- by place in locked: how many are free in the slots that are wanted
    tries     integer;       -- attempts at this run that a constraint refused
    moving    integer;
    moved     integer;
BEGIN
    SELECT array_agg(r.slot_id), array_agg(r.earlier)
    INTO before, earlier
    FROM (SELECT a.slot_id, lag(u.ord) OVER (PARTITION BY a.patient_id ORDER BY u.ord) AS earlier, u.ord
          FROM unnest(p_ids) WITH ORDINALITY AS u (id, ord)
          LEFT JOIN LATERAL (SELECT b.slot_id, b.patient_id FROM appointment b WHERE b.id = u.id LIMIT 1) a ON true
          ORDER BY u.ord) r;

    -- Expired holds of those who move would be in their way.
    before := before || ARRAY(SELECT h.slot_id
                              -- In order, so that nothing but the index by expiry is read: others would show every live hold.
                              FROM (SELECT e.slot_id, e.patient_id FROM appointment e
                                    WHERE e.status = 'HELD' AND e.hold_expires_at <= p_now ORDER BY e.hold_expires_at OFFSET 0) h
                              WHERE h.patient_id = ANY (ARRAY(SELECT a.patient_id FROM appointment a WHERE a.id = ANY (p_ids))));
    SELECT coalesce(array_agg(s.id), '{}') INTO locked
    FROM (SELECT t.id FROM time_slot t WHERE t.id = ANY (p_slots || before) ORDER BY t.id FOR NO KEY UPDATE) s;
    freed := ARRAY(SELECT e.slot_id FROM expire_held(locked, p_now) e);
    -- Who moves for one patient at once takes turns: two moves to times that overlap would wait for each other at the constraint,
    -- until PostgreSQL ends one of them after a second. In order and after the slots, as in book_batch.
    PERFORM pg_advisory_xact_lock(x'da1b'::integer, p.hash)
    FROM (SELECT DISTINCT hashint8(a.patient_id) AS hash FROM appointment a WHERE a.id = ANY (p_ids) ORDER BY 1 OFFSET 0) p;

    WHILE first <= cardinality(p_ids) LOOP
        last := first;
        WHILE last < cardinality(p_ids) AND coalesce(earlier[last + 1], 0) < first LOOP
            last := last + 1;
        END LOOP;

        tries := 0;
        LOOP
            SELECT array_agg(r.verdict), array_agg(r.revision), array_agg(r.slot_id), array_agg(r.state), array_agg(r.leaving),
                   array_agg(r.start_at), array_agg(r.end_at), array_agg(r.free), array_agg(r.from_at), array_agg(r.to_at)
            INTO verdicts, revisions, froms, states, leaving, starts, ends, free, from_at, to_at
            FROM (SELECT a.revision, a.slot_id, a.start_at AS leaving, s.start_at, s.end_at, s.capacity - s.booked_count AS free,
                         CASE WHEN a.status = 'HELD' AND a.hold_expires_at <= p_now THEN 'EXPIRED' ELSE a.status END AS state,
                         width_bucket(a.slot_id, locked) AS from_at, width_bucket(u.slot_id, locked) AS to_at,
                         CASE
                             WHEN a.slot_id IS NULL THEN 'APPOINTMENT_NOT_FOUND'
                             WHEN a.status NOT IN ('BOOKED', 'PAST') THEN 'APPOINTMENT_NOT_BOOKED'
                             WHEN a.slot_id = u.slot_id THEN 'UNCHANGED'
                             WHEN a.revision <> u.revision THEN 'CHANGED'
                             WHEN a.status = 'PAST' OR a.start_at < p_movable_from AND u.actor = 'patient' THEN 'TOO_LATE'
                             WHEN s.id IS NULL THEN 'SLOT_NOT_FOUND'
                             WHEN s.closed THEN 'SLOT_CLOSED'
                             WHEN s.start_at <= p_now THEN 'SLOT_PAST'
                             WHEN s.opens_at > p_now THEN 'SLOT_NOT_OPEN'
                             WHEN (tries > 0 OR s.booked_count = s.capacity) AND EXISTS (
                                 SELECT FROM appointment b
                                 WHERE b.slot_id = u.slot_id AND b.patient_id = a.patient_id
                                   AND b.status IN ('HELD', 'BOOKED') OFFSET 0) THEN 'ALREADY_BOOKED'
                             WHEN tries > 0 AND EXISTS (
                                 SELECT FROM appointment b
                                 WHERE hashint8(b.patient_id) = hashint8(a.patient_id) AND b.patient_id = a.patient_id
                                   AND b.id <> a.id AND b.status IN ('HELD', 'BOOKED')
                                   AND tstzrange(b.start_at, b.end_at) && tstzrange(s.start_at, s.end_at) OFFSET 0) THEN 'PATIENT_OVERLAP'
                         END AS verdict
                  FROM unnest(p_ids[first:last], p_slots[first:last], p_actors[first:last], p_revisions[first:last])
                            WITH ORDINALITY AS u (id, slot_id, actor, revision, ord)
                  LEFT JOIN LATERAL (SELECT * FROM appointment b WHERE b.id = u.id LIMIT 1) a ON true
                  LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = u.slot_id LIMIT 1) s ON true
                  ORDER BY u.ord) r;

            seats := array_fill(NULL::integer, ARRAY [cardinality(locked)]);
            FOR i IN 1 .. last - first + 1 LOOP
                IF free[i] IS NOT NULL THEN
                    seats[to_at[i]] := free[i];
                END IF;
            END LOOP;
            moving := 0;
            FOR i IN 1 .. last - first + 1 LOOP
                IF verdicts[i] IS NULL OR verdicts[i] = 'PATIENT_OVERLAP' THEN
                    IF locked[from_at[i]] IS DISTINCT FROM froms[i] THEN
                        RAISE EXCEPTION 'an appointment moved on' USING ERRCODE = 'serialization_failure';
                    END IF;
                    IF seats[to_at[i]] <= 0 THEN
                        verdicts[i] := 'SLOT_FULL';
                    ELSIF verdicts[i] IS NULL THEN
                        verdicts[i] := 'MOVED';
                        seats[to_at[i]] := seats[to_at[i]] - 1;
                        seats[from_at[i]] := seats[from_at[i]] + 1;
                        moving := moving + 1;
                    END IF;
                END IF;
            END LOOP;
            EXIT WHEN moving = 0;

            BEGIN
                WITH gone AS (
                    UPDATE appointment a
                    SET slot_id = m.slot_id, start_at = m.start_at, end_at = m.end_at, revision = a.revision + 1,
                        history = coalesce(a.history, '[]') || jsonb_build_array(jsonb_build_object(
                            'at', p_now, 'by', m.actor, 'change', 'MOVED', 'fromSlotId', m.from_slot_id, 'toSlotId', m.slot_id,
                            'fromStartAt', m.leaving, 'toStartAt', m.start_at))
                    FROM unnest(verdicts, p_ids[first:last], p_slots[first:last], p_actors[first:last], revisions, froms, leaving,
                                starts, ends)
                        AS m (verdict, id, slot_id, actor, revision, from_slot_id, leaving, start_at, end_at)
                    WHERE m.verdict = 'MOVED' AND a.id = m.id AND a.revision = m.revision
                    RETURNING a.id, a.slot_id, a.patient_id, a.start_at, a.end_at, a.revision, m.from_slot_id, m.leaving),
                counted AS (
                    UPDATE time_slot s SET booked_count = s.booked_count + c.more, version = s.version + 1
                    FROM (SELECT e.slot_id, sum(e.seat)::integer AS more
                          FROM (SELECT slot_id, 1 AS seat FROM gone UNION ALL SELECT from_slot_id, -1 FROM gone) e
                          GROUP BY e.slot_id) c
                    WHERE s.id = c.slot_id),
                told AS (
                    INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                    SELECT 'appointment', g.id::text, 'AppointmentMoved',
                           jsonb_build_object('schemaVersion', 1, 'appointmentId', g.id, 'slotId', g.slot_id, 'patientId', g.patient_id,
                                              'startAt', g.start_at, 'endAt', g.end_at, 'revision', g.revision,
                                              'previousSlotId', g.from_slot_id, 'previousStartAt', g.leaving), p_now
                    FROM gone g)
                SELECT count(*) INTO moved FROM gone;
                IF moved <> moving THEN
                    RAISE EXCEPTION 'an appointment changed' USING ERRCODE = 'serialization_failure';
                END IF;
                EXIT;
            EXCEPTION WHEN unique_violation OR exclusion_violation THEN
                tries := tries + 1;
                IF tries > 8 THEN
                    RAISE EXCEPTION 'moves of one batch kept conflicting' USING ERRCODE = 'serialization_failure';
                END IF;
            END;
        END LOOP;

        outcomes := outcomes || verdicts;
        origins := origins || froms;
        statuses := statuses || states;
        departing := departing || leaving;
        first := last + 1;
    END LOOP;

    RETURN QUERY
        SELECT u.ord::integer, u.outcome, u.origin, u.status,
               NULL::bigint, NULL::bigint, u.start_at, NULL::timestamptz, NULL::integer, NULL::integer, NULL::timestamptz, NULL::boolean, NULL::bigint
        FROM unnest(outcomes, origins, statuses, departing) WITH ORDINALITY AS u (outcome, origin, status, start_at, ord)
        UNION ALL
        SELECT NULL, CASE WHEN l.id = ANY (freed) THEN 'EXPIRED' END, NULL, NULL,
               s.id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count, s.opens_at, s.closed, s.version
        FROM unnest(locked) AS l (id)
        LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = l.id LIMIT 1) s ON true;
END
$$;
