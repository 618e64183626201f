INSERT INTO in_deferred_events
SELECT (device, client, provider, country, transport, received_ms, k_partition, k_offset), request,
       40000. + d % 7000, toFloat64(post_s), events
FROM (ANSWERS)
