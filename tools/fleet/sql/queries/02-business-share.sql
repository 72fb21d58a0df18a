-- The share of business kilometres of each group in each year.
SELECT grp, extract(year FROM day)::integer AS year, round(sum(distance_mm) / 1e6, 3) AS km,
    round(100.0 * coalesce(sum(distance_mm) FILTER (WHERE class = 'business'), 0)
        / nullif(sum(distance_mm), 0), 1) AS business_percent
FROM fleet.trips WHERE counts GROUP BY 1, 2 ORDER BY 1, 2;
