INSERT INTO in_locations (m, post_timestamp, locations)
SELECT (device, client, provider, country, transport, received_ms, k_partition, k_offset),
       toFloat64(post_s),
       arrayMap((s, part, lat, lon) -> (
           toFloat64(if(trouble = 5 AND s % 10800 = 0, s % 1000000, s)), country,
           if(trouble = 1 AND s % 7200 = 0, 0, lat + if(trouble = 2 AND s % 3600 = 60, 1, 0)),
           if(trouble = 1 AND s % 7200 = 0, 0, lon), NULL, 8., NULL, NULL, [],
           (toFloat64(s), s % 3600 < 3000, 50000 + hire + (s - start_s) / 200.,
            if(part < 1, if(trouble = 6, 118., toFloat64(20 + cityHash64('speed', hire, s) % 80)),
               0.),
            NULL, toFloat64(800 + s % 2000), 82. + s % 7 + if(trouble % 2 = 1 AND post > 20, 30, 0),
            NULL, NULL, NULL, '', 60 - post * 2. + if(post >= 12, 40, 0), NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, [('speed_limit', '80')])), times, parts, lats, lons)
FROM (HIRE_POSTS)
