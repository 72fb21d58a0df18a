-- The replica of ledgers: segments of entries, whose chain the database keeps for all writers.
--
-- A gap or another old root is refused with 23503, a second segment at a place with 23505, a short
-- hash with 23514: two histories of one ledger cannot both be there.

CREATE SCHEMA IF NOT EXISTS ledger;

CREATE TABLE IF NOT EXISTS ledger.ledgers (
    ledger integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL UNIQUE CHECK (octet_length(id) = 16),
    name text NOT NULL UNIQUE,
    epoch bigint NOT NULL DEFAULT 1,
    since timestamptz NOT NULL DEFAULT now()
);

-- bytes: each entry as its length (two bytes, big-endian) and its bytes; of an erased one its
-- tombstone; of a withheld one the length 0 and its leaf hash.
CREATE TABLE IF NOT EXISTS ledger.segments (
    ledger integer NOT NULL REFERENCES ledger.ledgers,
    first bigint NOT NULL,
    next bigint NOT NULL,
    old_root bytea,
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    coding smallint NOT NULL DEFAULT 0 CHECK (coding = 0),
    bytes bytea NOT NULL CHECK (octet_length(bytes) <= 16777216),
    CHECK (first >= 0 AND next > first),
    CHECK ((first = 0) = (old_root IS NULL)),
    PRIMARY KEY (ledger, next),
    UNIQUE (ledger, first),
    UNIQUE (ledger, next, root),
    CONSTRAINT chain FOREIGN KEY (ledger, first, old_root)
        REFERENCES ledger.segments (ledger, next, root) DEFERRABLE INITIALLY IMMEDIATE
);
ALTER TABLE ledger.segments ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Signed heads, verbatim.
CREATE TABLE IF NOT EXISTS ledger.heads (
    ledger integer NOT NULL REFERENCES ledger.ledgers,
    size bigint NOT NULL,
    note text NOT NULL,
    PRIMARY KEY (ledger, size)
);

-- Computes every leaf and every root of a ledger again from the entries' bytes (RFC 6962).
--
-- entries: how many there are in an unbroken chain; root: the root over them; wrong: the first
-- fault, NULL if there is none.
CREATE OR REPLACE FUNCTION ledger.check_chain(
    which integer, OUT entries bigint, OUT root bytea, OUT wrong text
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $$
DECLARE
    segment record;
    content bytea;
    roots bytea[] := '{}';      -- those of the full subtrees so far, the largest first
    depth integer := 0;
    hash bytea;
    bits bigint;
    place integer;
    length integer;
    stop integer;
BEGIN
    entries := 0;
    root := sha256(''::bytea);
    FOR segment IN
        SELECT s.first, s.next, s.old_root, s.root, s.bytes
        FROM ledger.segments s WHERE s.ledger = which ORDER BY s.next
    LOOP
        IF segment.first <> entries THEN
            wrong := format('a segment begins at position %s where %s is next',
                            segment.first, entries);
            RETURN;
        END IF;
        IF segment.first > 0 AND segment.old_root IS DISTINCT FROM root THEN
            wrong := format('the segment at position %s names another root before it',
                            segment.first);
            RETURN;
        END IF;
        content := segment.bytes || ''::bytea;
        stop := octet_length(content);
        place := 0;
        WHILE place < stop LOOP
            IF entries = segment.next OR place + 2 > stop THEN EXIT; END IF;
            length := get_byte(content, place) * 256 + get_byte(content, place + 1);
            place := place + 2;
            IF place + greatest(length, 32) > stop AND (length = 0 OR place + length > stop) THEN
                wrong := format('the entry at position %s is cut short', entries);
                RETURN;
            END IF;
            IF length = 0 THEN
                hash := substring(content FROM place + 1 FOR 32);
                place := place + 32;
            ELSIF length = 44 AND get_byte(content, place) = 44
                AND get_byte(content, place + 1) = 0 THEN
                hash := substring(content FROM place + 13 FOR 32);
                place := place + 44;
            ELSE
                hash := sha256('\x00'::bytea || substring(content FROM place + 1 FOR length));
                place := place + length;
            END IF;
            bits := entries;
            WHILE bits & 1 = 1 LOOP
                hash := sha256('\x01'::bytea || roots[depth] || hash);
                depth := depth - 1;
                bits := bits >> 1;
            END LOOP;
            depth := depth + 1;
            roots[depth] := hash;
            entries := entries + 1;
        END LOOP;
        IF place <> stop OR entries <> segment.next THEN
            wrong := format('the segment at position %s does not hold %s entries',
                            segment.first, segment.next - segment.first);
            RETURN;
        END IF;
        root := roots[depth];
        FOR level IN REVERSE depth - 1 .. 1 LOOP
            root := sha256('\x01'::bytea || roots[level] || root);
        END LOOP;
        IF root <> segment.root THEN
            wrong := format('the first %s entries do not have the root that is named there',
                            segment.next);
            RETURN;
        END IF;
    END LOOP;
END
$$;

-- Who may what: a writer adds segments, puts tombstones in the place of erased entries and takes
-- ledgers over; a reader sees rows, not the evidence; an auditor sees the evidence. Joining
-- segments takes the owner of the tables.
DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['ledger_writer', 'ledger_reader', 'ledger_auditor'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
    GRANT USAGE ON SCHEMA ledger TO ledger_writer, ledger_auditor;
    GRANT SELECT, INSERT ON ledger.ledgers, ledger.segments, ledger.heads TO ledger_writer;
    GRANT UPDATE (epoch) ON ledger.ledgers TO ledger_writer;
    GRANT UPDATE (bytes) ON ledger.segments TO ledger_writer;
    GRANT SELECT ON ledger.ledgers, ledger.segments, ledger.heads TO ledger_auditor;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'this role makes no roles: make ledger_writer and ledger_auditor by hand';
END
$$;
