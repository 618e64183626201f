INSERT INTO in_locations (m, post_timestamp, locations)
SELECT (device, '1', provider, country, toInt64(1000 + d % 200), received_ms,
        k_partition, k_offset),
       toFloat64(last_s),
       arrayMap((t, part, lat, lon) -> (toFloat64(t), country, lat, lon, NULL,
           toFloat64(5 + cityHash64('accuracy', d, t) % 20), NULL, NULL, [],
           (toFloat64(t), part < 1, 10000 + d + (t - first_day * 86400) / 150.,
            if(part < 1, toFloat64(20 + cityHash64('speed', d, t) % 100), 0.),
            NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL,
            if(d % 3 = 0, toFloat64(100 - (t % 86400) / 1000), NULL), NULL, NULL, NULL, NULL,
            [])), times, parts, lats, lons)
FROM (POSTS)
