-- Registered vehicles without a trip in the 30 days before the newest one.
SELECT v.grp, v.vehicle, v.plate, max(t.day) AS last_trip
FROM fleet.vehicles v LEFT JOIN fleet.trips t
    ON t.ledger = v.ledger AND t.vehicle = v.vehicle AND t.counts AND (v.grp = '' OR t.grp = v.grp)
GROUP BY 1, 2, 3
HAVING max(t.day) IS NULL OR max(t.day) < (SELECT max(day) FROM fleet.trips) - 30
ORDER BY 4 NULLS FIRST, 1, 2;
