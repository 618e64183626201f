-- Six posts of events each day that could not be read; two of them are discarded.
SELECT number AS n, 'rtt.telemetry-events.v1' AS topic, 'telemetry_events' AS kind,
       concat('device-', toString(n)) AS key, '1' AS client,
       concat('p', toString(1 + n)) AS provider,
       toUInt32(3) AS items, toInt64({day:UInt32}) * 86400000 + n * 7200000 AS received_ms,
       toUInt16(n) AS k_partition,
       toUInt64(9000000000 + {day:UInt32} - {first_day:UInt32}) AS k_offset,
       ['record_invalid', 'undecodable', 'sink_rejected'][1 + n % 3] AS code
FROM numbers(6)
