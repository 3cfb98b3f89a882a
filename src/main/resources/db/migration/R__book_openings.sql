-- Books times of flexible doctors, in order of arrival. The arrays are parallel, times are seconds since 1970; one row is answered for each
-- request. The caller has worked out which schedule covers the time (NULL: none) and says which revision of it he has seen:
-- STALE asks to look again. Bookings, closures and schedules of one doctor take turns by the doctor's row, so
-- that the constraints seldom have to speak: only when the patient, or the key, is busy with another doctor.
CREATE OR REPLACE FUNCTION book_openings(p_doctors bigint[], p_starts bigint[], p_ends bigint[], p_opens bigint[],
                                         p_schedules bigint[], p_revisions integer[], p_patients bigint[], p_keys text[],
                                         p_max_active integer, p_now timestamptz)
    RETURNS TABLE (ord integer, outcome text, appointment_id bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
#variable_conflict use_variable
DECLARE
    wanted text;
BEGIN
    PERFORM 1 FROM doctor WHERE id = ANY (p_doctors) ORDER BY id FOR NO KEY UPDATE;
    IF p_max_active > 0 THEN
        -- The same locks as in book_batch: who books for one patient at once takes turns.
        PERFORM pg_advisory_xact_lock(x'da1b'::integer, p.hash)
        FROM (SELECT DISTINCT hashint8(u.id) AS hash FROM unnest(p_patients) AS u (id) ORDER BY 1 OFFSET 0) p;
    END IF;

    FOR i IN 1 .. cardinality(p_doctors) LOOP
        ord := i;
        wanted := concat_ws(' ', p_doctors[i], p_starts[i], (p_ends[i] - p_starts[i]) / 60);
        FOR try IN 1 .. 5 LOOP
            SELECT a.id,
                   CASE WHEN a.requested_opening = wanted AND a.patient_id = p_patients[i] THEN 'REPLAYED' ELSE 'KEY_REUSED' END
            INTO appointment_id, outcome
            FROM (SELECT * FROM appointment b WHERE b.idempotency_key = p_keys[i] AND NOT b.filed
                  UNION ALL
                  SELECT * FROM appointment b
                  WHERE hashtextextended(b.idempotency_key, 0) = hashtextextended(p_keys[i], 0)
                    AND b.idempotency_key = p_keys[i] AND b.filed) a;
            EXIT WHEN outcome IS NOT NULL;

            outcome := refuse_opening(p_doctors[i], to_timestamp(p_starts[i]), to_timestamp(p_ends[i]), to_timestamp(p_opens[i]),
                                      p_schedules[i], p_revisions[i], p_patients[i], NULL, p_max_active, p_now);
            EXIT WHEN outcome IS NOT NULL;

            BEGIN
                INSERT INTO appointment (doctor_id, patient_id, status, start_at, end_at, idempotency_key, requested_opening, created_at)
                VALUES (p_doctors[i], p_patients[i], 'BOOKED', to_timestamp(p_starts[i]), to_timestamp(p_ends[i]), p_keys[i], wanted, p_now)
                RETURNING id INTO appointment_id;
                IF filed_key_among(ARRAY [p_keys[i]], ARRAY [appointment_id]) THEN
                    RAISE unique_violation;
                END IF;
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                VALUES ('appointment', appointment_id::text, 'AppointmentBooked',
                        jsonb_build_object('schemaVersion', 1, 'appointmentId', appointment_id, 'doctorId', p_doctors[i], 'patientId', p_patients[i],
                                           'startAt', to_timestamp(p_starts[i]), 'endAt', to_timestamp(p_ends[i])), p_now);
                outcome := 'BOOKED';
            EXCEPTION WHEN unique_violation OR exclusion_violation THEN
                appointment_id := NULL; -- somebody has committed since: the next look sees it
            END;
            EXIT WHEN outcome IS NOT NULL;
        END LOOP;
        IF outcome IS NULL THEN
            RAISE EXCEPTION 'an opening kept conflicting' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN NEXT;
        outcome := NULL;
        appointment_id := NULL;
    END LOOP;
END
$$;

-- Why a time cannot be had, or NULL. A hold of the patient's that has run out is nobody's, and is ended where it would be
-- in the way. The doctor's row is locked.
CREATE OR REPLACE FUNCTION refuse_opening(p_doctor bigint, p_start timestamptz, p_end timestamptz, p_opens timestamptz,
                                          p_schedule bigint, p_revision integer, p_patient bigint, p_moving bigint,
                                          p_max_active integer, p_now timestamptz)
    RETURNS text
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
DECLARE
    expired bigint[];
BEGIN
    IF p_schedule IS NULL THEN
        RETURN 'OPENING_NOT_FOUND';
    ELSIF NOT EXISTS (SELECT FROM schedule s WHERE s.id = p_schedule AND s.revision = p_revision) THEN
        RETURN 'STALE';
    ELSIF EXISTS (SELECT FROM closure c WHERE c.doctor_id = p_doctor AND c.to_at > p_start AND c.from_at < p_end)
        OR EXISTS (SELECT FROM closure c WHERE c.doctor_id IS NULL AND c.to_at > p_start AND c.from_at < p_end) THEN
        RETURN 'SLOT_CLOSED';
    ELSIF p_start <= p_now THEN
        RETURN 'SLOT_PAST';
    ELSIF p_opens > p_now THEN
        RETURN 'SLOT_NOT_OPEN';
    ELSIF EXISTS (SELECT FROM appointment a
                  WHERE a.slot_id IS NULL AND a.doctor_id = p_doctor AND a.status IN ('HELD', 'BOOKED')
                    AND tstzrange(a.start_at, a.end_at) && tstzrange(p_start, p_end)
                    AND a.patient_id = p_patient AND a.start_at = p_start AND a.end_at = p_end
                    AND a.id IS DISTINCT FROM p_moving) THEN
        RETURN 'ALREADY_BOOKED';
    ELSIF EXISTS (SELECT FROM appointment a
                  WHERE a.slot_id IS NULL AND a.doctor_id = p_doctor AND a.status IN ('HELD', 'BOOKED')
                    AND tstzrange(a.start_at, a.end_at) && tstzrange(p_start, p_end)
                    AND a.id IS DISTINCT FROM p_moving) THEN
        RETURN 'OPENING_TAKEN';
    END IF;

    SELECT array_agg(a.id) INTO expired FROM appointment a
    WHERE hashint8(a.patient_id) = hashint8(p_patient) AND a.patient_id = p_patient AND a.status IN ('HELD', 'BOOKED')
      AND tstzrange(a.start_at, a.end_at) && tstzrange(p_start, p_end)
      AND a.status = 'HELD' AND a.hold_expires_at <= p_now;
    IF expired IS NOT NULL THEN
        PERFORM 1 FROM time_slot
        WHERE id = ANY (ARRAY(SELECT a.slot_id FROM appointment a WHERE a.id = ANY (expired))) ORDER BY id FOR NO KEY UPDATE;
        PERFORM end_appointments(h.ids, 'system', NULL, p_now)
        FROM (SELECT array_agg(l.id) AS ids
              FROM (SELECT a.id FROM appointment a
                    WHERE a.id = ANY (expired) AND a.status = 'HELD' AND a.hold_expires_at <= p_now
                    ORDER BY a.id FOR NO KEY UPDATE) l) h
        WHERE h.ids IS NOT NULL;
    END IF;

    IF EXISTS (SELECT FROM appointment a
               WHERE hashint8(a.patient_id) = hashint8(p_patient) AND a.patient_id = p_patient AND a.status IN ('HELD', 'BOOKED')
                 AND tstzrange(a.start_at, a.end_at) && tstzrange(p_start, p_end)
                 AND a.id IS DISTINCT FROM p_moving) THEN
        RETURN 'PATIENT_OVERLAP';
    END IF;
    IF p_max_active > 0 AND (
        SELECT count(*) FROM appointment a
        WHERE hashint8(a.patient_id) = hashint8(p_patient) AND a.patient_id = p_patient AND a.status IN ('HELD', 'BOOKED')
          AND tstzrange(a.start_at, a.end_at) && tstzrange(p_now, NULL) AND a.start_at > p_now
          AND (a.status = 'BOOKED' OR a.hold_expires_at > p_now)) >= p_max_active THEN
        RETURN 'BOOKING_LIMIT';
    END IF;
    RETURN NULL;
END
$$;

-- Moves an appointment with a flexible doctor to another time of the same doctor, or keeps it as it is. Outcomes as in
-- book_openings, and MOVED, UNCHANGED (it is there already), NOT_FOUND, NOT_FLEXIBLE (it has a slot), NOT_BOOKED (it has ended),
-- TOO_LATE (it begins before p_movable_from),
-- CHANGED (it is not at the revision p_seen any more, as in move_batch).
DROP FUNCTION IF EXISTS move_opening(bigint, bigint, bigint, bigint, bigint, integer, text, timestamptz, timestamptz);
-- The default is for instances of an older version, which call it during an update.
CREATE OR REPLACE FUNCTION move_opening(p_id bigint, p_start bigint, p_end bigint, p_opens bigint, p_schedule bigint,
                                        p_revision integer, p_actor text, p_movable_from timestamptz, p_now timestamptz,
                                        p_seen integer DEFAULT NULL)
    RETURNS text
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
DECLARE
    old     appointment;
    outcome text;
BEGIN
    PERFORM 1 FROM doctor WHERE id = (SELECT a.doctor_id FROM appointment a WHERE a.id = p_id) FOR NO KEY UPDATE;
    SELECT * INTO old FROM appointment a WHERE a.id = p_id FOR NO KEY UPDATE;
    IF old.id IS NULL THEN
        RETURN 'NOT_FOUND';
    ELSIF old.doctor_id IS NULL THEN
        RETURN 'NOT_FLEXIBLE';
    ELSIF old.status NOT IN ('BOOKED', 'PAST') THEN
        RETURN 'NOT_BOOKED';
    ELSIF old.start_at = to_timestamp(p_start) AND old.end_at = to_timestamp(p_end) THEN
        RETURN 'UNCHANGED';
    ELSIF old.revision <> p_seen THEN
        RETURN 'CHANGED';
    ELSIF old.start_at <= p_now THEN
        RETURN 'SLOT_PAST';
    ELSIF old.start_at < p_movable_from THEN
        RETURN 'TOO_LATE';
    END IF;

    FOR try IN 1 .. 5 LOOP
        outcome := refuse_opening(old.doctor_id, to_timestamp(p_start), to_timestamp(p_end), to_timestamp(p_opens), p_schedule,
                                  p_revision, old.patient_id, old.id, 0, p_now);
        IF outcome IS NOT NULL THEN
            RETURN outcome;
        END IF;
        BEGIN
            UPDATE appointment a
            SET start_at = to_timestamp(p_start), end_at = to_timestamp(p_end), revision = a.revision + 1,
                history = coalesce(a.history, '[]') || jsonb_build_array(jsonb_build_object(
                    'at', p_now, 'by', p_actor, 'change', 'MOVED', 'fromStartAt', old.start_at, 'toStartAt', to_timestamp(p_start)))
            WHERE a.id = p_id;
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            VALUES ('appointment', p_id::text, 'AppointmentMoved',
                    jsonb_build_object('schemaVersion', 1, 'appointmentId', p_id, 'doctorId', old.doctor_id, 'patientId', old.patient_id,
                                       'startAt', to_timestamp(p_start), 'endAt', to_timestamp(p_end),
                                       'fromStartAt', old.start_at, 'revision', old.revision + 1), p_now);
            RETURN 'MOVED';
        EXCEPTION WHEN exclusion_violation THEN
            NULL; -- somebody has committed since: the next look sees it
        END;
    END LOOP;
    RAISE EXCEPTION 'an opening kept conflicting' USING ERRCODE = 'serialization_failure';
END
$$;
