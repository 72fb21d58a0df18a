-- How long each group was at each place in each month.
SELECT grp, place, date_trunc('month', entered_at)::date AS month, count(*) AS visits,
    round(extract(epoch FROM sum(left_at - entered_at)) / 3600, 1) AS hours
FROM fleet.visits WHERE left_at IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
