-- Quotas of Sluice in PostgreSQL 14 or later. Safe to run again. Names have no schema: the search path decides.
--
-- A role that agents use needs:
--   GRANT SELECT, INSERT, UPDATE, DELETE ON sluice_quota TO agents;
--   GRANT SELECT, UPDATE ON sluice_quota_sweep TO agents;

-- One row per subject in use. A missing row means that all permits are available.
CREATE TABLE IF NOT EXISTS sluice_quota (
    policy    text COLLATE "C" NOT NULL,
    slot      text COLLATE "C" NOT NULL,  -- '' for the policy's own limit, otherwise the override
    algorithm text COLLATE "C" NOT NULL,  -- 'token-bucket' or 'fixed-window'
    subject   text COLLATE "C" NOT NULL,  -- a JSON array; 'sha256:…' of a long one
    -- Nanoseconds: the interval after which one permit of a bucket returns, or the length of the window.
    span      bigint NOT NULL,
    -- Nanoseconds since 1970, in this server's time: when the bucket is full again, or when the window ends. From then on the row equals a
    -- missing one and may be deleted.
    idle_at   bigint NOT NULL,
    -- Permits taken in the window; 0 for a bucket.
    used      bigint NOT NULL,
    PRIMARY KEY (policy, slot, algorithm, subject)
)
-- Updates find room on the same page, so that they leave the index alone.
WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Where the fleet's sweep goes on, and when it may: one row.
CREATE TABLE IF NOT EXISTS sluice_quota_sweep (
    only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    next_block bigint      NOT NULL DEFAULT 0,
    swept_at   timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO sluice_quota_sweep DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Nanoseconds since 1970, in this server's time. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION quota_clock() RETURNS bigint
LANGUAGE sql VOLATILE AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000';

-- Takes the permits of all charges, or none, and returns what decided.
--
-- The arrays have one element per charge. A bucket holds `bursts` permits, of which one returns per `spans` nanoseconds (the generic cell rate
-- algorithm, ITU-T I.371); a window of `spans` nanoseconds has `bursts` permits. With `forced` every charge is applied, also beyond its limit,
-- and negative permits are returned; a bucket's debt is a day at most.
--
--   charge       0 for the first one: the refused charge with the longest wait, or the granted one with the least left
--   remaining    permits left of it
--   retry_after  nanoseconds until the permits are there if nobody else takes them; 0 when granted; NULL when the limit never has as many
CREATE OR REPLACE FUNCTION request_token(
    policies text[], slots text[], algorithms text[], subjects text[],
    spans bigint[], bursts bigint[], permits bigint[], forced boolean DEFAULT false,
    OUT granted boolean, OUT charge integer, OUT remaining bigint, OUT retry_after bigint)
LANGUAGE plpgsql AS $$
DECLARE
    a_day     CONSTANT bigint := 86400000000000;
    i         integer;
    quota     sluice_quota;
    quotas    sluice_quota[];
    changed   sluice_quota[];  -- as the rows are at their new limits or in the new time, where these have changed and nothing is taken
    capacity  bigint;   -- nanoseconds that a bucket takes to fill
    now_ns    bigint;
    missing   numeric;  -- nanoseconds of a bucket
    ends_at   bigint;   -- of the present window
    rest      numeric;  -- permits left after this charge; beyond a bigint after two absurd corrections
    wait      bigint;
    longest   bigint := 0;
    never     CONSTANT bigint := 9223372036854775807;
BEGIN
    -- One charge of a bucket that has the permits, which most requests are: one statement, half the work of the general case below. The row is
    -- locked before the expressions that depend on it are evaluated, so that the clock is read when nothing is waited for any more.
    IF cardinality(subjects) = 1 AND algorithms[1] = 'token-bucket' AND NOT forced
        AND permits[1] BETWEEN 1 AND bursts[1] AND bursts[1] <= never / 4 / spans[1]
    THEN
        capacity := bursts[1] * spans[1];
        INSERT INTO sluice_quota AS q
        VALUES (policies[1], slots[1], algorithms[1], subjects[1], spans[1], quota_clock() + permits[1] * spans[1], 0)
        ON CONFLICT (policy, slot, algorithm, subject) DO UPDATE
        SET idle_at = greatest(q.idle_at, quota_clock()) + permits[1] * spans[1]
        WHERE q.span = spans[1] AND q.idle_at <= quota_clock() + capacity - permits[1] * spans[1]
        RETURNING * INTO quota;
        IF FOUND THEN
            granted := true;
            charge := 0;
            retry_after := 0;
            -- rounded down: the time that is missing fills no permit
            remaining := (capacity - greatest(quota.idle_at - quota_clock(), 0)) / spans[1];
            RETURN;
        END IF;
    END IF;

    -- Rows are locked in the order of their keys, by all requests: no two can wait for each other.
    FOR i IN
        SELECT ordinality FROM unnest(policies, slots, algorithms, subjects) WITH ORDINALITY AS key (p, s, a, u)
        ORDER BY p COLLATE "C", s COLLATE "C", a COLLATE "C", u COLLATE "C"
    LOOP
        SELECT * INTO quota FROM sluice_quota AS q
        WHERE (q.policy, q.slot, q.algorithm, q.subject) = (policies[i], slots[i], algorithms[i], subjects[i])
        FOR UPDATE;
        IF NOT FOUND THEN
            -- The update changes nothing: it locks the row that another request inserted meanwhile.
            INSERT INTO sluice_quota AS q VALUES (policies[i], slots[i], algorithms[i], subjects[i], spans[i], 0, 0)
            ON CONFLICT (policy, slot, algorithm, subject) DO UPDATE SET idle_at = q.idle_at
            RETURNING * INTO quota;
        END IF;
        quotas[i] := quota;
    END LOOP;

    -- The time is read when nothing is waited for any more.
    now_ns := quota_clock();
    granted := true;
    remaining := never;
    FOR i IN 1 .. cardinality(subjects) LOOP
        quota := quotas[i];
        IF algorithms[i] = 'token-bucket' THEN
            missing := greatest(quota.idle_at - now_ns, 0);
            -- Where the rate has changed, missing permits return at the new one.
            IF quota.span <> spans[i] THEN
                missing := ceil(missing * spans[i] / quota.span);
                quota.span := spans[i];
                quota.idle_at := least(now_ns + missing, never);
                changed := changed || quota;
            END IF;
            rest := floor((bursts[i] * spans[i] - missing) / spans[i]) - permits[i];
            wait := greatest(least(missing + (permits[i]::numeric - bursts[i]) * spans[i], never - 1), 0);
            IF forced THEN
                missing := least(greatest(missing + permits[i]::numeric * spans[i], 0),
                                 greatest(missing, bursts[i] * spans[i] + a_day));
            ELSE
                missing := missing + permits[i]::numeric * spans[i];
            END IF;
            quota.idle_at := least(now_ns + missing, never);
        ELSE
            IF quota.idle_at <= now_ns THEN
                quota.used := 0;
            END IF;
            -- Windows begin at multiples of their length. Where the length has changed or the clock was set back, what was used counts in
            -- the new window.
            ends_at := now_ns - now_ns % spans[i] + spans[i];
            IF quota.span <> spans[i] OR quota.idle_at > ends_at THEN
                quota.span := spans[i];
                quota.idle_at := ends_at;
                changed := changed || quota;
            END IF;
            quota.idle_at := ends_at;
            rest := bursts[i]::numeric - quota.used - permits[i];
            wait := quota.idle_at - now_ns;
            quota.used := least(greatest(quota.used::numeric + permits[i], 0), never);
        END IF;
        quotas[i] := quota;

        IF permits[i] > bursts[i] THEN
            wait := never;
        END IF;
        IF rest < 0 AND NOT forced THEN
            IF wait > longest THEN
                charge := i - 1;
                remaining := greatest(rest + permits[i], 0);
                longest := wait;
            END IF;
            granted := false;
        ELSIF granted AND rest < remaining THEN
            charge := i - 1;
            remaining := greatest(rest, 0);
        END IF;
    END LOOP;
    retry_after := nullif(longest, never);

    IF NOT granted THEN
        quotas := changed;
    END IF;
    FOREACH quota IN ARRAY coalesce(quotas, '{}') LOOP
        UPDATE sluice_quota AS q SET span = quota.span, idle_at = quota.idle_at, used = quota.used
        WHERE (q.policy, q.slot, q.algorithm, q.subject) = (quota.policy, quota.slot, quota.algorithm, quota.subject);
    END LOOP;
END
$$;

-- Deletes rows that equal missing ones, from the next `most_blocks` blocks of the table. Does nothing when another session is at it, or when the
-- last sweep was less than `pause` ago: however many agents call it, the fleet reads `most_blocks` per `pause` at most. Returns the number of
-- deleted rows; NULL when it did nothing.
CREATE OR REPLACE FUNCTION sweep_quota(most_blocks integer, pause interval) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    first_block bigint;
    end_block   bigint;
    now_ns      bigint := quota_clock();
    first_row   tid;
    end_row     tid;
    deleted     integer;
BEGIN
    SELECT s.next_block INTO first_block FROM sluice_quota_sweep AS s
    WHERE s.swept_at <= clock_timestamp() - pause OR s.swept_at > clock_timestamp()
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    end_block := first_block + most_blocks;
    first_row := format('(%s,0)', first_block);
    end_row := format('(%s,0)', end_block);
    -- Rows that a request has locked are in use.
    DELETE FROM sluice_quota WHERE ctid = ANY (ARRAY(
        SELECT q.ctid FROM sluice_quota AS q
        WHERE q.ctid >= first_row AND q.ctid < end_row AND q.idle_at <= now_ns
        FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    UPDATE sluice_quota_sweep AS s SET
        next_block = CASE
            WHEN end_block * current_setting('block_size')::bigint >= pg_relation_size('sluice_quota') THEN 0
            ELSE end_block
        END,
        swept_at = clock_timestamp();
    RETURN deleted;
END
$$;
