-- What arrives of devices between two seconds: a fix each 10 s, 2 s after its time. Every hour a
-- device drives for 40 minutes to another place within 15 km of its own. Then it is at a stop for
-- 20, with up to 10 m of noise. The first ten minutes of one hour of a hundred come three hours
-- late. One minute of two hundred comes twice, half a minute apart.
INSERT INTO in_flat_fixes (device_id, ts, lat_e7, lon_e7, country_id, speed, odometer, client_id,
    provider, call_country_id, transport_id, post_ts, received_at, k_partition, k_rank, item, kept,
    counted, newest_able, telemetry_kept)
WITH
    (kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15 AS h
SELECT lower(hex(SHA256(concat('device ', toString(d))))) AS device_id, toDateTime(t, 'UTC') AS ts,
       toInt32(round(1e7 * (-23.5 + h(1, d, 0) + h(3, d, intDiv(t, 3600)) * (1 - part)
           + h(3, d, intDiv(t, 3600) + 1) * part + h(5, d, t) * 0.0006))) AS lat_e7,
       toInt32(round(1e7 * (-46.5 + h(2, d, 0) + h(4, d, intDiv(t, 3600)) * (1 - part)
           + h(4, d, intDiv(t, 3600) + 1) * part + h(6, d, t) * 0.0006))) AS lon_e7,
       'BR' AS country_id, if(part < 1, 20 + cityHash64('speed', d, t) % 100, 0) AS speed,
       10000 + d + (t - {start:UInt32}) / 150. AS odometer, '1' AS client_id,
       concat('p', toString(d % 10)) AS provider, 'BR' AS call_country_id, d AS transport_id,
       ts AS post_ts, toDateTime64(t + delay, 3, 'UTC') AS received_at, 1 AS k_partition,
       bitNot(toUInt64(t + delay)) AS k_rank, 1 AS item, true AS kept, true AS counted,
       false AS newest_able, false AS telemetry_kept
FROM (
    SELECT number % {devices:UInt32} AS d, delay,
           {from:UInt32} - delay + intDiv(number, {devices:UInt32}) * 10 + d % 10 AS t,
           least((t % 3600) / 2400, 1) AS part,
           t % 3600 < 600 AND cityHash64('late', d, intDiv(t, 3600)) % 100 = 0 AS is_late
    FROM numbers(intDiv({to:UInt32} - {from:UInt32}, 10) * {devices:UInt32})
    ARRAY JOIN [2, 32, 10802] AS delay)
WHERE t >= {start:UInt32}
  AND if(delay = 10802, is_late,
         NOT is_late AND (delay = 2 OR cityHash64('twice', d, intDiv(t, 60)) % 200 = 0))
