-- Files the next appointments, by id, that ended before p_before, and answers how many it looked at. Each is looked at twice: soon after its
-- time is likely to be over, and, if it was booked for later, when everything made before p_again must be over. Several
-- instances take turns; whoever finds another one at it does nothing.
CREATE OR REPLACE FUNCTION file_appointments(p_before timestamptz, p_again timestamptz, p_limit integer)
    RETURNS integer
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
DECLARE
    next   filing;
    due    bigint[];
    looked integer := 0;
BEGIN
    FOR next IN SELECT f.visit, f.upto FROM filing f ORDER BY f.visit FOR UPDATE SKIP LOCKED LOOP
        -- In the order of ids, until the first that was made too lately. What a transaction still under way has made is younger.
        SELECT array_agg(c.id ORDER BY c.id) INTO due
        FROM (SELECT a.id, bool_and(a.created_at < CASE next.visit WHEN 1 THEN p_before ELSE p_again END) OVER (ORDER BY a.id) AS early
              FROM (SELECT b.id, b.created_at FROM appointment b WHERE b.id > next.upto ORDER BY b.id LIMIT p_limit) a) c
        WHERE c.early;
        CONTINUE WHEN due IS NULL;

        PERFORM 1 FROM appointment a
        WHERE a.id = ANY (due) AND NOT a.filed AND a.end_at < p_before AND a.status <> 'HELD' ORDER BY a.id FOR NO KEY UPDATE;
        UPDATE appointment a SET filed = true, status = CASE a.status WHEN 'BOOKED' THEN 'PAST' ELSE a.status END
        WHERE a.id = ANY (due) AND NOT a.filed AND a.end_at < p_before AND a.status <> 'HELD';
        UPDATE filing f SET upto = due[cardinality(due)] WHERE f.visit = next.visit;
        looked := greatest(looked, cardinality(due));
    END LOOP;
    RETURN looked;
END
$$;
