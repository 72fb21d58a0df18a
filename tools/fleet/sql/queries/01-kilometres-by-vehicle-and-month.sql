-- Kilometres and trips of each vehicle in each month.
SELECT vehicle, date_trunc('month', day)::date AS month, count(*) AS trips,
    round(sum(distance_mm) / 1e6, 3) AS km
FROM fleet.trips WHERE counts GROUP BY 1, 2 ORDER BY 1, 2;
