-- What is in no total, and why, with its kilometres.
SELECT status, CASE WHEN status = 'completed' THEN 'another trip of the same drive counts'
        ELSE coalesce(row->>'abandoned', status) END AS reason,
    count(*) AS trips, round(sum(distance_mm) / 1e6, 3) AS km
FROM fleet.trips WHERE NOT counts GROUP BY 1, 2 ORDER BY 1, 2;
