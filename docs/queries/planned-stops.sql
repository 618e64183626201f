-- Which stops are planned for a time?
-- Parameters: since DateTime('UTC') (arrival from), until DateTime('UTC') (arrival to before).
-- Comes out: a row for each stop that is not cancelled: provider, route, facility, place, times.
SELECT provider, route_id, stop_order, facility_id, latitude, longitude, planned_arrival,
       planned_departure
FROM v_planned_stops
WHERE NOT is_cancelled AND planned_arrival >= {since:DateTime('UTC')}
  AND planned_arrival < {until:DateTime('UTC')}
ORDER BY planned_arrival, provider, route_id, stop_order
