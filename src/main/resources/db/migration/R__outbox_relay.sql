-- One step of a relay: marks what it has published, notes what has failed, and then answers what is due in some partitions, in
-- order and up to p_limit of each. An event that waits for its next attempt holds back those that follow it in its aggregate and
-- no others. Nothing is remembered of what was read, so an event that commits late is found like any other.
CREATE OR REPLACE FUNCTION relay_events(p_published bigint[], p_failed bigint[], p_attempts integer[], p_errors text[],
                                        p_partitions integer[], p_limit integer, p_now timestamptz, p_max_attempts integer,
                                        p_backoff_seconds double precision)
    RETURNS TABLE (partition integer, seq bigint, id uuid, aggregatetype text, aggregateid text, type text, payload text,
                   created_at timestamptz, attempts integer)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
    SET enable_bitmapscan = off
AS
$$
#variable_conflict use_column
BEGIN
    IF cardinality(p_published) > 0 THEN
        UPDATE outbox_event e SET published_at = p_now, attempts = e.attempts + 1, next_attempt_at = NULL
        WHERE e.seq = ANY (p_published) AND e.published_at IS NULL;
    END IF;
    IF cardinality(p_failed) > 0 THEN
        -- The attempt is compared, so that noting the same failure again changes nothing.
        UPDATE outbox_event e
        SET attempts = e.attempts + 1, last_error = f.error,
            next_attempt_at = p_now + make_interval(secs => p_backoff_seconds * 2 ^ least(e.attempts, 16)),
            dead_at = CASE WHEN e.attempts + 1 >= p_max_attempts THEN p_now END
        FROM unnest(p_failed, p_attempts, p_errors) AS f (seq, attempts, error)
        WHERE e.seq = f.seq AND e.attempts = f.attempts AND e.published_at IS NULL AND e.dead_at IS NULL;
    END IF;
    RETURN QUERY
        SELECT p.partition, e.seq, e.id, e.aggregatetype, e.aggregateid, e.type, e.payload::text, e.created_at, e.attempts
        FROM unnest(p_partitions) AS p (partition)
        CROSS JOIN LATERAL (
            SELECT * FROM outbox_event t
            WHERE (hashtext(t.aggregateid) & 15) = p.partition AND t.published_at IS NULL AND t.dead_at IS NULL
              AND NOT EXISTS (
                  SELECT FROM outbox_event w
                  WHERE w.aggregateid = t.aggregateid AND w.seq <= t.seq AND w.next_attempt_at > p_now
                    AND w.published_at IS NULL AND w.dead_at IS NULL OFFSET 0)
            ORDER BY (hashtext(t.aggregateid) & 15), t.seq LIMIT p_limit) e
        ORDER BY p.partition, e.seq;
END
$$;

-- Asked again and again over one session, which has the partitions for as long as it lives: each partition is an advisory lock of
-- the session, and one more, shared, says that this relay is there. Gives up p_leave, takes free partitions up to a fair share, and
-- answers what the session has; what is beyond the share is not its own any more, and to be left when nothing of it is on its way.
CREATE OR REPLACE FUNCTION lease_outbox(p_leave integer[])
    RETURNS TABLE (partition integer, own boolean)
    LANGUAGE plpgsql
AS
$$
DECLARE
    outbox    CONSTANT integer := x'da0b'::integer; -- the first half of every key
    presence  CONSTANT integer := 16;
    held      integer[];
    present   boolean;
    relays    integer;
    share     integer;
    candidate integer;
BEGIN
    SELECT coalesce(array_agg(l.objid::integer ORDER BY l.objid::integer) FILTER (WHERE l.pid = pg_backend_pid() AND l.objid::integer < presence), '{}'),
           coalesce(bool_or(l.pid = pg_backend_pid() AND l.objid::integer = presence), false),
           count(*) FILTER (WHERE l.objid::integer = presence)
    INTO held, present, relays
    FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.classid::integer = outbox AND l.objsubid = 2 AND l.granted
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    IF NOT present THEN
        PERFORM pg_advisory_lock_shared(outbox, presence);
        relays := relays + 1;
    END IF;
    share := ceil(16.0 / relays);

    FOREACH candidate IN ARRAY held LOOP
        IF candidate = ANY (p_leave) THEN
            PERFORM pg_advisory_unlock(outbox, candidate);
            held := array_remove(held, candidate);
        END IF;
    END LOOP;
    FOR candidate IN SELECT n FROM generate_series(0, 15) n WHERE NOT n = ANY (held) LOOP
        EXIT WHEN cardinality(held) >= share;
        IF pg_try_advisory_lock(outbox, candidate) THEN
            held := held || candidate;
        END IF;
    END LOOP;
    RETURN QUERY SELECT u.partition, u.ord <= share FROM unnest(held) WITH ORDINALITY AS u (partition, ord);
END
$$;

-- What waits, how long the first of it has, and what is dead.
CREATE OR REPLACE FUNCTION outbox_backlog()
    RETURNS TABLE (waiting bigint, oldest timestamptz, dead bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
AS
$$
BEGIN
    RETURN QUERY
        SELECT (SELECT count(*) FROM outbox_event e WHERE e.published_at IS NULL AND e.dead_at IS NULL),
               (SELECT min(f.created_at) FROM generate_series(0, 15) AS p (n)
                CROSS JOIN LATERAL (SELECT e.created_at FROM outbox_event e
                                    WHERE (hashtext(e.aggregateid) & 15) = p.n AND e.published_at IS NULL AND e.dead_at IS NULL
                                    ORDER BY (hashtext(e.aggregateid) & 15), e.seq LIMIT 1) f),
               (SELECT count(*) FROM outbox_event e WHERE e.dead_at IS NOT NULL);
END
$$;

-- Removes what was published before p_before among the next p_limit events after p_after, dead letters excepted, and counts it.
-- Answers the last event looked at; NULL when all that follow are younger.
CREATE OR REPLACE FUNCTION prune_outbox(p_after bigint, p_before timestamptz, p_limit integer)
    RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
DECLARE
    seqs   bigint[];
    newest timestamptz;
BEGIN
    SELECT array_agg(e.seq ORDER BY e.seq), max(e.created_at) INTO seqs, newest
    FROM (SELECT t.seq, t.created_at FROM outbox_event t WHERE t.seq > p_after ORDER BY t.seq LIMIT p_limit) e;
    WITH removed AS (
        DELETE FROM outbox_event e WHERE e.seq = ANY (seqs) AND e.published_at < p_before AND e.dead_at IS NULL
        RETURNING e.aggregatetype, e.created_at)
    INSERT INTO outbox_pruned AS p (aggregatetype, events, latest)
    SELECT r.aggregatetype, count(*), max(r.created_at) FROM removed r GROUP BY r.aggregatetype ORDER BY r.aggregatetype
    ON CONFLICT (aggregatetype) DO UPDATE
        SET events = p.events + excluded.events, latest = greatest(p.latest, excluded.latest);
    RETURN CASE WHEN cardinality(seqs) = p_limit AND newest < p_before THEN seqs[p_limit] END;
END
$$;
