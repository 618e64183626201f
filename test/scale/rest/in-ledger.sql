-- What the table writer notes of each record that it reads, with an ingest id (UUIDv7) that is the
-- same whenever this step is done again.
INSERT INTO in_ingest_records
SELECT concat(substring(ms, 1, 8), '-', substring(ms, 9, 4), '-7', substring(rest, 1, 3), '-8',
              substring(rest, 4, 3), '-', substring(rest, 7, 12)),
       topic, concat('scale ', kind), k_partition, k_offset, kind, key, client, provider, items,
       received_ms, received_ms + 5, ''
FROM (SELECT *, lower(hex(toUInt64(received_ms))) AS ms,
             lower(hex(SHA256(concat(kind, toString(k_partition), ' ', toString(k_offset)))))
                 AS rest
      FROM (SOURCE))
