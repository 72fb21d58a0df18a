-- Sources from which nothing has come for longer than two days.
SELECT ledger, source, grp, latest_at, now() - latest_at AS silent_for, phase
FROM fleet.sources WHERE latest_at < now() - interval '2 days' ORDER BY latest_at, 1, 2;
