-- When did a device come to each stop of a planned route?
-- Parameters: provider String, route Int64 (its id).
-- Comes out: a row for each stop: facility, planned and actual arrival, minutes late, device.
SELECT stop_order, facility_id, planned_arrival, arrived_at, lateness_s / 60 AS minutes_late,
       is_on_time, device_id
FROM v_on_time
WHERE provider = {provider:String} AND route_id = {route:Int64}
ORDER BY stop_order
