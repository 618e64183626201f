-- Where devices were in each hour, for heat maps: from the minutes of devices, which are written
-- with every insert. So it has fixes without a speed too, and late ones at once. A minute counts in
-- the cell of its last fix: at 60 kilometers/hour a device crosses about one cell in a minute.

CREATE VIEW IF NOT EXISTS v_heat
(
    day        Date                   COMMENT 'Day of the hour, UTC; ask by it, it is fast.',
    hour       DateTime('UTC')        COMMENT 'Hour of the fixes, by the devices'' clocks, UTC.',
    country_id LowCardinality(String) COMMENT 'Country of the fixes as sent.',
    provider   LowCardinality(String) COMMENT 'Provider of the calls'' path.',
    h3         UInt64
        COMMENT 'H3 cell of resolution 8; h3ToParent gives a coarser one, h3ToString the text.',
    latitude   Float64                COMMENT 'Center of the cell, degrees.',
    longitude  Float64                COMMENT 'Center of the cell, degrees.',
    devices    UInt64
        COMMENT 'Devices with a minute whose last fix is in the cell; not to be added up.',
    seconds    UInt64
        COMMENT 'Seconds with a fix in these minutes, of all devices together.'
)
SQL SECURITY DEFINER
AS SELECT day, hour, country_id, provider, h3, h3ToGeo(h3).1 AS latitude,
          h3ToGeo(h3).2 AS longitude, devices, seconds
   FROM (SELECT toDate(minute) AS day, toStartOfHour(minute) AS hour, country_id, provider,
                last_place.4 AS h3,
                uniqExact(device_id) AS devices, sum(bitCount(m.seconds)) AS seconds
         FROM device_minutes AS m FINAL
         WHERE frame_minutes = 0
         GROUP BY day, hour, country_id, provider, h3
         SETTINGS do_not_merge_across_partitions_select_final = 0,
                  defer_partition_pruning_after_final = 0)
COMMENT 'Fixes and devices by hour and H3 cell of resolution 8; written with every insert.';
