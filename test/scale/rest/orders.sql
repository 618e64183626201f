-- Commands to providers: planned routes, their cancellation, a start for each hired vehicle, and
-- requests for the events of a day, of which seven of eight are answered.
WITH
    CAST([], concat('Array(Tuple(Int64, Int64, String, Tuple(Int64), ',
        'Array(Tuple(Float64, String, String, Tuple(String, Tuple(Tuple(Float64, Float64)))))))'))
        AS no_routes
SELECT 'check_planned_routes' AS command, concat('plan-', toString(route)) AS command_id, provider,
       concat('route:', toString(route)) AS command_key, country, '' AS request,
       toInt64(0) AS transport, [planned] AS planned_routes, toInt64(at_s) * 1000 AS at_ms,
       k_partition, toUInt64(route * 8) AS k_offset
FROM (ROUTES)
UNION ALL
SELECT 'cancel_planned_routes', concat('cancel-', toString(route)), provider,
       concat('route:', toString(route)), country, '', 0, [planned], toInt64(at_s + 3600) * 1000,
       k_partition, toUInt64(route * 8 + 1)
FROM (ROUTES)
WHERE route % 50 = 30
UNION ALL
SELECT 'start_tracking', concat('start-', toString(hire)), provider, toString(transport), country,
       '', transport, no_routes, toInt64(start_s - 800) * 1000, k_partition,
       toUInt64(hire * 8 + 2)
FROM (HIRES)
WHERE toUInt32(first_day_no) = {day:UInt32} - {first_day:UInt32}
UNION ALL
SELECT 'process_telemetry_events', concat('request-', toString(day_no), '-', toString(d)), provider,
       toString(transport), country, concat('cmVx', toString(day_no), 'x', toString(d)), transport,
       no_routes, toInt64(begin_s + 7200) * 1000, k_partition,
       toUInt64((day_no * {devices:UInt32} + d) * 8 + 3)
FROM (DEVICE_DAYS)
WHERE d % 5 = 1
