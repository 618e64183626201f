-- The devices of the fleet were started in the week before its first day, and never end.
INSERT INTO in_device_lifecycle
SELECT (device, '1', '', country, 0, at_ms, k_partition, d * 4 + epoch), device, '1', epoch, 1,
       ['vehicle', 'trailer', 'driver'][1 + d % 3], transport,
       (['GPS', 'OBD', 'MOBILE'][1 + d % 3], ['north', 'south', 'east'][1 + d % 7 % 3],
        concat('m', toString(d % 5))), country, at_ms
FROM (SELECT *, epoch, toInt64({first_day:UInt32} * 86400 - 604800 + d * 97 % 600000
                                + epoch * 30) * 1000 AS at_ms
      FROM (DEVICE_DAYS)
      ARRAY JOIN [1, 2] AS epoch)
