INSERT INTO in_telemetry_events
SELECT (device, client, provider, country, transport, received_ms, k_partition, k_offset),
       toFloat64(post_s), events
FROM (EVENTS)
