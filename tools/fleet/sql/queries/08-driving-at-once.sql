-- The most trips that went on at the same time, on each day.
WITH steps AS (
    SELECT started_at AS at, 1 AS step FROM fleet.trips WHERE counts AND ended_at IS NOT NULL
    UNION ALL
    SELECT ended_at, -1 FROM fleet.trips WHERE counts AND ended_at IS NOT NULL
), counted AS (
    SELECT at, sum(step) OVER (ORDER BY at, step) AS driving FROM steps
)
SELECT at::date AS day, max(driving) AS most_at_once FROM counted GROUP BY 1 ORDER BY 1;
