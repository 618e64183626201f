INSERT INTO in_ingest_records
SELECT toString(generateUUIDv7(k_offset)), 'rtt.locations.v1', 'scale', k_partition, k_offset,
       'locations', device, '1', provider, fixes, received_ms, received_ms + 5, ''
FROM (POSTS)
