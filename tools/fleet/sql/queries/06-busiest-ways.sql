-- The most frequent ways from one place to another.
SELECT start_place, end_place, count(*) AS trips, round(sum(distance_mm) / 1e6, 3) AS km
FROM fleet.trips WHERE counts AND start_place IS NOT NULL AND end_place IS NOT NULL
GROUP BY 1, 2 ORDER BY trips DESC, 1, 2 LIMIT 50;
