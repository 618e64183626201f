INSERT INTO in_delivery_locations
SELECT ('', client, provider, country, 0, received_ms, k_partition, k_offset), toFloat64(post_s),
       (driver, 'driver'), carried, fixes
FROM (DELIVERIES)
