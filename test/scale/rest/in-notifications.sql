INSERT INTO in_notifications
WITH s -> formatDateTime(toDateTime(s, 'UTC'), '%Y-%m-%dT%H:%i:%SZ') AS iso
SELECT (number, if(outcome = 'disputed', 'carrier-9', client), '', country, 0, received_ms,
        k_partition, k_offset, 'scale notifications'),
       concat('{"code":"', code, '","carrier_code":"', substring(code, 4), '","payload":{"date":"',
           iso(occurred_s), '"', if(code = 'EX-FAILED' AND i % 4 != 0, concat(',"reason":"',
               ['receiver absent', 'address not found', 'refused'][1 + i % 3], '"'), ''),
           ',"location":{"country_id":"', country, '","city_name":"', city, '","facility":"F',
           toString(d % 40), '"}', if(step IN (0, 2), concat(',"cost":', toString(5 + i % 90),
               ',"dimensions":{"weight":', toString(200 + i % 9000), '}',
               ',"estimated_delivery_date":"', iso(begin_s + 25200 + if(step = 2 AND i % 6 = 1,
                   14400, 0)), '"'), ''), '}}'),
       if(code = 'EX-DELIVERED' AND i % 3 != 0, if(i % 30 = 4,
           '{"media_type":"unknown","flag":"unknown_type"}', '{"media_type":"image/jpeg"}'), ''),
       ''
FROM (MOVES)
