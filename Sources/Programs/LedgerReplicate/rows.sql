-- Rows of ledgers for SQL: trips, visits, places, vehicles, odometers and sources, as the feed
-- tells them.
--
-- Units stand in the names; all figures are integers, so that sums are exact in any order. grp is
-- the group of the sources ('' for the owner's). day is the day on which the ledger counts a trip,
-- counts whether it is in totals. Totals are views. Everything here follows from the ledgers' logs:
-- it can be dropped and written again.

CREATE SCHEMA IF NOT EXISTS fleet;

-- How far the feed of a ledger was taken: written in the transaction that writes its rows.
CREATE TABLE IF NOT EXISTS fleet.cursors (
    ledger integer PRIMARY KEY,
    epoch bigint NOT NULL,
    number bigint NOT NULL,
    at timestamptz NOT NULL
);

-- rules is NULL where a person reported the trip: nothing was measured by any.
CREATE TABLE IF NOT EXISTS fleet.trips (
    ledger integer NOT NULL,
    id bytea NOT NULL CHECK (octet_length(id) = 16),
    grp text NOT NULL DEFAULT '',
    source text NOT NULL,
    vehicle text,
    status text NOT NULL,
    class text NOT NULL,
    mode text,
    rules text,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    utc_offset_s integer NOT NULL,
    day date NOT NULL,
    distance_mm bigint NOT NULL,
    measured_mm bigint,
    excluded_mm bigint NOT NULL,
    gap_mm bigint NOT NULL,
    gap_ms bigint NOT NULL,
    unrecorded_mm bigint,
    driving_ms bigint,
    moving_ms bigint,
    fixes integer NOT NULL,
    start_lat_e7 integer,
    start_lon_e7 integer,
    end_lat_e7 integer,
    end_lon_e7 integer,
    start_place text,
    end_place text,
    purpose text,
    client text,
    counts boolean NOT NULL,
    row jsonb NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (ledger, id)
);
CREATE INDEX IF NOT EXISTS trips_grp_day ON fleet.trips (grp, day);
CREATE INDEX IF NOT EXISTS trips_vehicle_day ON fleet.trips (vehicle, day);
CREATE INDEX IF NOT EXISTS trips_day ON fleet.trips (day);

CREATE TABLE IF NOT EXISTS fleet.visits (
    ledger integer NOT NULL,
    id text NOT NULL,
    grp text NOT NULL DEFAULT '',
    source text NOT NULL,
    place text NOT NULL,
    entered_at timestamptz NOT NULL,
    last_inside_at timestamptz NOT NULL,
    left_at timestamptz,
    row jsonb NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (ledger, id)
);
CREATE INDEX IF NOT EXISTS visits_place ON fleet.visits (place, entered_at);

CREATE TABLE IF NOT EXISTS fleet.places (
    ledger integer NOT NULL,
    grp text NOT NULL DEFAULT '',
    place text NOT NULL,
    lat_e7 integer NOT NULL,
    lon_e7 integer NOT NULL,
    radius_m numeric NOT NULL,
    row jsonb NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (ledger, grp, place)
);

-- row is without the odometer.
CREATE TABLE IF NOT EXISTS fleet.vehicles (
    ledger integer NOT NULL,
    grp text NOT NULL DEFAULT '',
    vehicle text NOT NULL,
    plate text,
    make text,
    model text,
    row jsonb NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (ledger, grp, vehicle)
);
UPDATE fleet.vehicles SET row = row - 'odometer' WHERE row ? 'odometer';

-- What odometers showed last, with the whole rows of `ledger vehicle list --format json`. A reading
-- is told to those alone who see its source, so drivers read none of these.
CREATE TABLE IF NOT EXISTS fleet.odometers (
    ledger integer NOT NULL,
    grp text NOT NULL DEFAULT '',
    vehicle text NOT NULL,
    value numeric,
    unit text,
    read_at timestamptz,
    row jsonb NOT NULL,
    PRIMARY KEY (ledger, grp, vehicle),
    FOREIGN KEY (ledger, grp, vehicle) REFERENCES fleet.vehicles ON DELETE CASCADE
);

-- What each source delivered last; who looks computes the lag from latest_at.
CREATE TABLE IF NOT EXISTS fleet.sources (
    ledger integer NOT NULL,
    source text NOT NULL,
    grp text NOT NULL DEFAULT '',
    events bigint NOT NULL,
    latest_at timestamptz,
    phase text NOT NULL,
    PRIMARY KEY (ledger, source)
);

CREATE OR REPLACE VIEW fleet.totals_by_month WITH (security_invoker = true) AS
    SELECT grp, vehicle, class, date_trunc('month', day)::date AS month, count(*) AS trips,
        sum(distance_mm) AS distance_mm
    FROM fleet.trips WHERE counts GROUP BY 1, 2, 3, 4;

-- A decimal number of units as a whole number of parts: metres as millimetres, degrees as 1e-7.
CREATE OR REPLACE FUNCTION fleet.parts(number jsonb, of_one integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog
    AS $$
    SELECT CASE jsonb_typeof(number) WHEN 'number' THEN round(number::numeric * of_one)::bigint END
    $$;

-- The seconds that a time is east of UTC, by the end of its text; one that says none is in UTC.
CREATE OR REPLACE FUNCTION fleet.offset_of(said text) RETURNS integer
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog
    AS $$
    SELECT coalesce(CASE WHEN parts[1] = '-' THEN -1 ELSE 1 END
        * (parts[2]::integer * 3600 + parts[3]::integer * 60), 0)
    FROM (SELECT regexp_match(said, '([+-])(\d\d):(\d\d)$') AS parts) AS found
    $$;

-- Puts a row of `ledger trips --format json` in the place of what was known of the trip.
CREATE OR REPLACE FUNCTION fleet.put_trip(which integer, trip jsonb, number bigint) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    DELETE FROM fleet.trips t WHERE t.ledger = which AND t.id = decode(trip->>'id', 'hex');
    INSERT INTO fleet.trips VALUES (
        which, decode(trip->>'id', 'hex'), coalesce(trip->>'group', ''), trip->>'source',
        trip->>'vehicle', trip->>'status', trip->>'class', trip->>'mode', trip->>'rules',
        (trip->>'started_at')::timestamptz, (trip->>'ended_at')::timestamptz,
        fleet.offset_of(trip->>'started_at'), left(trip->>'started_at', 10)::date,
        coalesce(fleet.parts(trip->'adjusted_distance_m', 1000),
            fleet.parts(trip->'distance_m', 1000)),
        CASE WHEN (trip->>'measured')::boolean THEN fleet.parts(trip->'distance_m', 1000) END,
        coalesce(fleet.parts(trip->'excluded_distance_m', 1000), 0),
        coalesce(fleet.parts(trip#>'{gaps,meters}', 1000), 0),
        coalesce(fleet.parts(trip#>'{gaps,seconds}', 1000), 0),
        fleet.parts(trip->'unrecorded_before_m', 1000),
        (extract(epoch FROM
            (trip->>'ended_at')::timestamptz - (trip->>'started_at')::timestamptz) * 1000)::bigint,
        fleet.parts(trip->'moving_s', 1000),
        (SELECT coalesce(sum(value::integer), 0) FROM jsonb_each_text(trip->'fixes')),
        fleet.parts(trip#>'{start,lat}', 10000000), fleet.parts(trip#>'{start,lon}', 10000000),
        fleet.parts(trip#>'{end,lat}', 10000000), fleet.parts(trip#>'{end,lon}', 10000000),
        trip->>'start_place', trip->>'end_place', trip->>'purpose', trip->>'client',
        trip->>'status' = 'completed' AND NOT coalesce((trip->>'left_out')::boolean, false),
        trip, number
    );
END
$$;

-- The group and the name in a key of the feed: U+001F stands between them where there is a group.
CREATE OR REPLACE FUNCTION fleet.name_of(key text, OUT grp text, OUT name text)
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog
    AS $$
    SELECT CASE WHEN strpos(key, chr(31)) > 0 THEN split_part(key, chr(31), 1) ELSE '' END,
        substr(key, strpos(key, chr(31)) + 1)
    $$;

-- Takes one change of the feed: an object of change.v1.schema.json. Kinds without a table pass.
CREATE OR REPLACE FUNCTION fleet.take_change(which integer, change jsonb) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    kind text := change->>'kind';
    key text := change->>'key';
    fresh jsonb := change->'row';
    number bigint := split_part(change->>'cursor', '-', 2)::bigint;
    named record;
BEGIN
    named := fleet.name_of(key);
    IF kind = 'trip' AND fresh IS NOT NULL THEN
        PERFORM fleet.put_trip(which, fresh, number);
    ELSIF kind = 'trip' THEN
        DELETE FROM fleet.trips t WHERE t.ledger = which AND t.id = decode(key, 'hex');
    ELSIF kind = 'visit' THEN
        DELETE FROM fleet.visits v WHERE v.ledger = which AND v.id = key;
        IF fresh IS NOT NULL THEN
            INSERT INTO fleet.visits VALUES (
                which, key, coalesce(fresh->>'group', ''), fresh->>'source', fresh->>'place',
                (fresh->>'entered_at')::timestamptz, (fresh->>'last_inside_at')::timestamptz,
                (fresh->>'left_at')::timestamptz, fresh, number);
        END IF;
    ELSIF kind = 'place' THEN
        DELETE FROM fleet.places p
            WHERE p.ledger = which AND p.grp = named.grp AND p.place = named.name;
        IF fresh IS NOT NULL THEN
            INSERT INTO fleet.places VALUES (
                which, named.grp, named.name, fleet.parts(fresh->'lat', 10000000),
                fleet.parts(fresh->'lon', 10000000), (fresh->>'radius_m')::numeric, fresh, number);
        END IF;
    ELSIF kind = 'vehicle' THEN
        DELETE FROM fleet.vehicles v
            WHERE v.ledger = which AND v.grp = named.grp AND v.vehicle = named.name;
        IF fresh IS NOT NULL THEN
            INSERT INTO fleet.vehicles VALUES (
                which, named.grp, named.name, fresh->>'plate', fresh->>'make', fresh->>'model',
                fresh - 'odometer', number);
            INSERT INTO fleet.odometers VALUES (
                which, named.grp, named.name, (fresh#>>'{odometer,value}')::numeric,
                fresh#>>'{odometer,unit}', (fresh#>>'{odometer,read_at}')::timestamptz, fresh);
        END IF;
    END IF;
END
$$;

-- Forgets a ledger's rows and begins to take a feed.
CREATE OR REPLACE FUNCTION fleet.begin(which integer, epoch bigint) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    DELETE FROM fleet.trips t WHERE t.ledger = which;
    DELETE FROM fleet.visits t WHERE t.ledger = which;
    DELETE FROM fleet.places t WHERE t.ledger = which;
    DELETE FROM fleet.vehicles t WHERE t.ledger = which;
    DELETE FROM fleet.sources t WHERE t.ledger = which;
    INSERT INTO fleet.cursors AS c VALUES (which, begin.epoch, 0, now())
    ON CONFLICT (ledger) DO UPDATE SET epoch = excluded.epoch, number = 0, at = now();
END
$$;

-- Takes a page of the feed, and returns the number from which to go on.
--
-- since: the cursor after which the page was read, as the feed writes it (epoch in hexadecimal, a
-- hyphen, number), or NULL from the beginning; next: the one that it ends with. A page from the
-- beginning replaces all rows: it and those after it, up to the last one, MUST be taken in one
-- transaction, so that readers never see half. A page that does not begin where the last one ended
-- is refused with 40001: there are two writers, or the feed has begun anew.
CREATE OR REPLACE FUNCTION fleet.take(which integer, since text, next text, changes jsonb)
    RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    page_epoch bigint := ('x' || lpad(split_part(next, '-', 1), 16, '0'))::bit(64)::bigint;
    page_end bigint := split_part(next, '-', 2)::bigint;
    known fleet.cursors;
BEGIN
    -- One writer of a ledger at a time, also before there is a row to lock.
    PERFORM pg_advisory_xact_lock(hashtext('fleet.take'), which);
    IF since IS NULL THEN
        PERFORM fleet.begin(which, page_epoch);
    ELSE
        SELECT * INTO known FROM fleet.cursors c WHERE c.ledger = which;
        IF known.epoch IS DISTINCT FROM page_epoch
            OR known.number <> split_part(since, '-', 2)::bigint THEN
            RAISE EXCEPTION 'ledger % was taken up to another cursor than %', which, since
                USING ERRCODE = '40001', HINT = 'Ask fleet.cursors where to go on.';
        END IF;
    END IF;
    PERFORM fleet.take_change(which, change) FROM jsonb_array_elements(changes) AS change;
    UPDATE fleet.cursors c SET number = page_end, at = now() WHERE c.ledger = which;
    RETURN page_end;
END
$$;

-- Takes changes that were taken before with the rows as they are now, where these are others: what a
-- row says of other rows, of places and of settings changes without a change of its own. A writer
-- says it in the transaction in which it has taken what changed these.
CREATE OR REPLACE FUNCTION fleet.take_again(which integer, changes jsonb) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    PERFORM fleet.take_change(which, change)
    FROM jsonb_array_elements(changes) AS change, fleet.name_of(change->>'key') AS named
    WHERE change->'row' IS DISTINCT FROM CASE change->>'kind'
        WHEN 'trip' THEN (SELECT t.row FROM fleet.trips t
            WHERE t.ledger = which AND t.id = decode(change->>'key', 'hex'))
        WHEN 'visit' THEN (SELECT v.row FROM fleet.visits v
            WHERE v.ledger = which AND v.id = change->>'key')
        WHEN 'place' THEN (SELECT p.row FROM fleet.places p
            WHERE p.ledger = which AND p.grp = named.grp AND p.place = named.name)
        WHEN 'vehicle' THEN (SELECT o.row FROM fleet.odometers o
            WHERE o.ledger = which AND o.grp = named.grp AND o.vehicle = named.name)
        END;
END
$$;

-- Takes what `ledger status --format json` says of sources.
CREATE OR REPLACE FUNCTION fleet.take_status(which integer, status jsonb) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog
    AS $$
    INSERT INTO fleet.sources
    SELECT which, said->>'source', coalesce(said->>'group', ''),
        (said->>'events')::bigint, (said->>'latest_at')::timestamptz, said->>'phase'
    FROM jsonb_array_elements(status->'sources') AS said
    ON CONFLICT (ledger, source) DO UPDATE SET grp = excluded.grp, events = excluded.events,
        latest_at = excluded.latest_at, phase = excluded.phase
    $$;

-- Who sees what: ledger_writer writes; ledger_reader sees all rows; a role that is a member of
-- fleet_driver sees those of its groups, which fleet.members names, and the places and vehicles
-- that the owner has set, but no odometers.
CREATE TABLE IF NOT EXISTS fleet.members (
    role name NOT NULL,
    grp text NOT NULL CHECK (grp <> ''),
    PRIMARY KEY (role, grp)
);

DO $$
DECLARE
    role text;
    subject text;
    owners text;
    own text := 'grp IN (SELECT m.grp FROM fleet.members m WHERE m.role = current_user)';
BEGIN
    FOREACH role IN ARRAY ARRAY['ledger_writer', 'ledger_reader', 'fleet_driver'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
    GRANT USAGE ON SCHEMA fleet TO ledger_writer, ledger_reader, fleet_driver;
    GRANT SELECT ON fleet.totals_by_month TO ledger_reader, fleet_driver;
    GRANT SELECT, INSERT, UPDATE ON fleet.cursors TO ledger_writer;
    GRANT SELECT ON fleet.cursors TO ledger_reader;
    GRANT SELECT ON fleet.members TO fleet_driver;
    ALTER TABLE fleet.members ENABLE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS driver ON fleet.members;
    CREATE POLICY driver ON fleet.members FOR SELECT TO fleet_driver USING (role = current_user);
    FOREACH subject IN ARRAY
        ARRAY['trips', 'visits', 'places', 'vehicles', 'odometers', 'sources'] LOOP
        -- A vehicle that is not registered has a name by its odometer alone.
        owners := CASE subject
            WHEN 'places' THEN format('grp = %L OR ', '')
            WHEN 'vehicles' THEN
                format('grp = %L AND (row->>%L)::boolean OR ', '', 'registered')
            ELSE '' END;
        EXECUTE format('GRANT SELECT ON fleet.%I TO ledger_reader', subject);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON fleet.%I TO ledger_writer', subject);
        EXECUTE format('ALTER TABLE fleet.%I ENABLE ROW LEVEL SECURITY', subject);
        EXECUTE format('DROP POLICY IF EXISTS writer ON fleet.%I', subject);
        EXECUTE format('DROP POLICY IF EXISTS reader ON fleet.%I', subject);
        EXECUTE format('DROP POLICY IF EXISTS driver ON fleet.%I', subject);
        EXECUTE format('CREATE POLICY writer ON fleet.%I TO ledger_writer USING (true)', subject);
        EXECUTE format(
            'CREATE POLICY reader ON fleet.%I FOR SELECT TO ledger_reader USING (true)', subject);
        CONTINUE WHEN subject = 'odometers';
        EXECUTE format('GRANT SELECT ON fleet.%I TO fleet_driver', subject);
        EXECUTE format('CREATE POLICY driver ON fleet.%I FOR SELECT TO fleet_driver USING (%s)',
            subject, owners || own);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'make the roles ledger_writer, ledger_reader and fleet_driver by hand';
END
$$;
