-- Where it is driven how fast, over some days: the cells of all days of devices put together at
-- once. v_speeding_cells has nearly as many rows as they have cells, since few devices meet in a
-- cell on one day.

CREATE VIEW IF NOT EXISTS v_cell_speeds
(
    h3            UInt64
        COMMENT 'H3 cell of resolution 8 (about 0.7 square kilometers); h3ToString gives its text.',
    latitude      Float64                COMMENT 'Center of the cell, degrees.',
    longitude     Float64                COMMENT 'Center of the cell, degrees.',
    device_days   UInt64                 COMMENT 'Days of devices with a speed in the cell.',
    seconds       UInt64
        COMMENT 'Seconds with a fix and a speed up to 350 in the cell.',
    over_50_s     UInt64                 COMMENT 'Of these faster than 50 kilometers/hour.',
    over_80_s     UInt64                 COMMENT 'Of these faster than 80 kilometers/hour.',
    over_110_s    UInt64                 COMMENT 'Of these faster than 110 kilometers/hour.',
    over_130_s    UInt64                 COMMENT 'Of these faster than 130 kilometers/hour.',
    speed_max_kmh Float32                COMMENT 'Greatest of these speeds, kilometers/hour.'
)
SQL SECURITY DEFINER
AS SELECT h3, h3ToGeo(h3).1 AS latitude, h3ToGeo(h3).2 AS longitude, device_days, seconds,
          over_50_s, over_80_s, over_110_s, over_130_s, speed_max_kmh
   FROM (SELECT cell.h3 AS h3, count() AS device_days, sum(cell.fixes) AS seconds,
                sum(cell.over_50) AS over_50_s, sum(cell.over_80) AS over_80_s,
                sum(cell.over_110) AS over_110_s, sum(cell.over_130) AS over_130_s,
                max(cell.speed_max) AS speed_max_kmh
         FROM (SELECT cells FROM device_days FINAL
               WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
               SETTINGS do_not_merge_across_partitions_select_final = 1)
         ARRAY JOIN cells AS cell
         GROUP BY h3)
COMMENT 'Speeds by H3 cell of resolution 8, over some days; computed with the days.';
