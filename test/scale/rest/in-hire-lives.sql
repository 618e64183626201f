INSERT INTO in_device_lifecycle
SELECT (device, '1', '', country, 0, at_ms, k_partition, 100000000 + hire * 4 + epoch), device, '1',
       epoch, 1 + hire % 3, 'hired_vehicle', transport,
       ('OBD', ['north', 'south', 'east'][1 + hire % 3], 'h1'), country, at_ms
FROM (SELECT *, epoch, toInt64(start_s + if(epoch = 3,
                    86400 + 28740 + if(trouble = 6, -1170, 7200), epoch * 60 - 900)) * 1000 AS at_ms
      FROM (HIRES)
      ARRAY JOIN if(trouble = 4, [1, 2], [1, 2, 3]) AS epoch
      WHERE toUInt32(first_day_no) = {day:UInt32} - {first_day:UInt32})
