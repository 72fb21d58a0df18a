-- How many trips still wait to be classified, the groups that wait longest first.
SELECT grp, count(*) AS trips, min(day) AS since, round(sum(distance_mm) / 1e6, 3) AS km
FROM fleet.trips WHERE counts AND class = 'unclassified' GROUP BY grp ORDER BY since, grp;
