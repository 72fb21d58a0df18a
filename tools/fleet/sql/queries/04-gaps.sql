-- Of each source, the share of driving time that was not measured.
SELECT ledger, source, count(*) AS trips, round(sum(gap_mm) / 1e6, 3) AS gap_km,
    round(100.0 * sum(gap_ms) / nullif(sum(driving_ms), 0), 1) AS gap_percent
FROM fleet.trips WHERE counts AND measured_mm IS NOT NULL
GROUP BY 1, 2 ORDER BY gap_percent DESC NULLS LAST, 1, 2;
