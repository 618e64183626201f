-- What analysts read of days, trips, stops, cells, events and providers.

CREATE VIEW IF NOT EXISTS v_device_days
(
    device_id       String                 COMMENT 'RTT device id.',
    day             Date                   COMMENT 'Day of the fixes, by the device''s clock, UTC.',
    client_id       LowCardinality(String) COMMENT 'Client that sent the last fix of the day.',
    provider        LowCardinality(String) COMMENT 'Provider of the last fix of the day.',
    country_id      LowCardinality(String) COMMENT 'Country of the last fix of the day as sent.',
    transport_id    Int64
        COMMENT 'Transport of the last fix of the day at its receipt, 0 when not known.',
    seconds         UInt32
        COMMENT 'Seconds of the day with a fix other than at 0,0.',
    first_ts        DateTime('UTC')        COMMENT 'Time of the first fix, UTC seconds.',
    first_latitude  Float64                COMMENT 'Of the first fix, degrees.',
    first_longitude Float64                COMMENT 'Of the first fix, degrees.',
    last_ts         DateTime('UTC')        COMMENT 'Time of the last fix, UTC seconds.',
    last_latitude   Float64                COMMENT 'Of the last fix, degrees.',
    last_longitude  Float64                COMMENT 'Of the last fix, degrees.',
    distance_m      Float64
        COMMENT 'Meters between the places while it moved; neither jumps nor gaps count.',
    odometer_km     Nullable(Float64)
        COMMENT 'Greatest minus least odometer of the day, kilometers; NULL when none was sent.',
    driving_s       UInt32                 COMMENT 'Seconds in which it moved.',
    standing_s      UInt32                 COMMENT 'Seconds in which it reported and did not move.',
    stops           UInt16
        COMMENT 'Stops that v_stops has of the day, those that continue left out.',
    gaps            UInt16
        COMMENT 'Silences of over 15 minutes that ended on it and began at 23:00 before or later.',
    gap_s           UInt32                 COMMENT 'Seconds of these silences.',
    jumps           UInt32
        COMMENT 'Steps from fix to fix that need more than 350 kilometers/hour.',
    speed_max_kmh   Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry up to 350, kilometers/hour; NULL without any.',
    trips           UInt16
        COMMENT 'Trips that began on the day; one that goes on over midnight began once.',
    computed_at     DateTime64(3, 'UTC')
        COMMENT 'When this row was computed, UTC milliseconds; what came later is not in it yet.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id,
          fixes AS seconds, first.1 AS first_ts, first.2 AS first_latitude,
          first.3 AS first_longitude, last.1 AS last_ts,
          last.2 AS last_latitude, last.3 AS last_longitude,
          distance_cm / 100 AS distance_m, odometer_km, driving_s, standing_s, stops,
          gaps, gap_s, jumps, speed_max AS speed_max_kmh,
          toUInt16(arrayCount(trip -> NOT trip.continues, d.trips)) AS trips, computed_at
   FROM device_days AS d FINAL
   WHERE fixes > 0
   SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT
    'Each device by UTC day: distance, driving, stops, gaps; computed each 10 minutes or so.';

CREATE VIEW IF NOT EXISTS v_trips
(
    device_id       String                 COMMENT 'RTT device id.',
    day             Date                   COMMENT 'Day in which this piece lies, UTC.',
    client_id       LowCardinality(String) COMMENT 'Client that sent the last fix of the day.',
    provider        LowCardinality(String) COMMENT 'Provider of the last fix of the day.',
    country_id      LowCardinality(String) COMMENT 'Country of the last fix of the day as sent.',
    transport_id    Int64
        COMMENT 'Transport of the last fix of the day at its receipt, 0 when not known.',
    start_ts        DateTime('UTC')        COMMENT 'When it began to move, UTC seconds.',
    start_latitude  Float64                COMMENT 'Where it began, degrees.',
    start_longitude Float64                COMMENT 'Where it began, degrees.',
    end_ts          DateTime('UTC')
        COMMENT 'When it last moved before 5 minutes without, UTC seconds.',
    end_latitude    Float64                COMMENT 'Where it ended, degrees.',
    end_longitude   Float64                COMMENT 'Where it ended, degrees.',
    duration_s      UInt32
        COMMENT 'From start to end, short halts included, seconds.',
    driving_s       UInt32                 COMMENT 'Seconds of these in which it moved.',
    distance_m      Float64                COMMENT 'Meters, as in v_device_days.',
    speed_max_kmh   Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry, kilometers/hour; NULL without any.',
    continues       Bool
        COMMENT 'True when it is the rest of a trip of the day before: midnight UTC cuts trips.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id,
          trip.start_ts AS start_ts, trip.start_latitude AS start_latitude,
          trip.start_longitude AS start_longitude, trip.end_ts AS end_ts,
          trip.end_latitude AS end_latitude, trip.end_longitude AS end_longitude,
          toUInt32(trip.end_ts - trip.start_ts) AS duration_s, trip.driving_s AS driving_s,
          trip.distance_cm / 100 AS distance_m, trip.speed_max AS speed_max_kmh,
          trip.continues AS continues
   FROM (SELECT device_id, day, client_id, provider, country_id, transport_id,
                arrayJoin(trips) AS trip
         FROM device_days FINAL
         SETTINGS do_not_merge_across_partitions_select_final = 1)
COMMENT 'Trips of devices, cut at midnight UTC; computed with the days.';

CREATE VIEW IF NOT EXISTS v_stops
(
    device_id    String                 COMMENT 'RTT device id.',
    day          Date                   COMMENT 'Day whose fixes show this piece, UTC.',
    client_id    LowCardinality(String) COMMENT 'Client that sent the last fix of the day.',
    provider     LowCardinality(String) COMMENT 'Provider of the last fix of the day.',
    country_id   LowCardinality(String) COMMENT 'Country of the last fix of the day as sent.',
    transport_id Int64
        COMMENT 'Transport of the last fix of the day at its receipt, 0 when not known.',
    start_ts     DateTime('UTC')        COMMENT 'When it last moved before, UTC seconds.',
    end_ts       DateTime('UTC')        COMMENT 'Last fix before it moved again, UTC seconds.',
    latitude     Float64                COMMENT 'Mean of its fixes, degrees.',
    longitude    Float64                COMMENT 'Mean of its fixes, degrees.',
    duration_s   UInt32                 COMMENT 'From start to end, seconds; a stop has 300.',
    silent_s     UInt32
        COMMENT 'Seconds of these in silences of over 15 minutes after which it was within 200 m.',
    continues    Bool
        COMMENT 'True when it is the rest of a stop of the day before: midnight UTC cuts stops.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id,
          stay.start_ts AS start_ts, stay.end_ts AS end_ts, stay.latitude AS latitude,
          stay.longitude AS longitude, toUInt32(stay.end_ts - stay.start_ts) AS duration_s,
          stay.silent_s AS silent_s, stay.continues AS continues
   FROM (SELECT device_id, day, client_id, provider, country_id, transport_id,
                arrayJoin(stays) AS stay
         FROM device_days FINAL
         SETTINGS do_not_merge_across_partitions_select_final = 1)
COMMENT 'Stops of devices, cut at midnight UTC; computed with the days.';

CREATE VIEW IF NOT EXISTS v_speeding_cells
(
    day           Date                   COMMENT 'Day of the fixes, by the devices'' clocks, UTC.',
    country_id    LowCardinality(String) COMMENT 'Country of each device''s last fix of the day.',
    provider      LowCardinality(String) COMMENT 'Provider of each device''s last fix of the day.',
    h3            UInt64
        COMMENT 'H3 cell of resolution 8 (about 0.7 square kilometers); h3ToString gives its text.',
    latitude      Float64                COMMENT 'Center of the cell, degrees.',
    longitude     Float64                COMMENT 'Center of the cell, degrees.',
    devices       UInt64                 COMMENT 'Devices with a speed in the cell on that day.',
    seconds       UInt64
        COMMENT 'Seconds with a fix and a speed up to 350 in the cell.',
    over_50_s     UInt64                 COMMENT 'Of these faster than 50 kilometers/hour.',
    over_80_s     UInt64                 COMMENT 'Of these faster than 80 kilometers/hour.',
    over_110_s    UInt64                 COMMENT 'Of these faster than 110 kilometers/hour.',
    over_130_s    UInt64                 COMMENT 'Of these faster than 130 kilometers/hour.',
    speed_max_kmh Float32                COMMENT 'Greatest of these speeds, kilometers/hour.'
)
SQL SECURITY DEFINER
AS SELECT day, country_id, provider, cell.h3 AS h3, h3ToGeo(h3).1 AS latitude,
          h3ToGeo(h3).2 AS longitude, count() AS devices, sum(cell.fixes) AS seconds,
          sum(cell.over_50) AS over_50_s, sum(cell.over_80) AS over_80_s,
          sum(cell.over_110) AS over_110_s, sum(cell.over_130) AS over_130_s,
          max(cell.speed_max) AS speed_max_kmh
   FROM (SELECT day, country_id, provider, arrayJoin(cells) AS cell
         FROM device_days FINAL
         SETTINGS do_not_merge_across_partitions_select_final = 1)
   GROUP BY day, country_id, provider, h3
COMMENT 'Speeds by day, H3 cell of resolution 8, country and provider; computed with the days.';

CREATE VIEW IF NOT EXISTS v_event_rates
(
    device_id  String                 COMMENT 'RTT device id.',
    day        Date                   COMMENT 'Day in which the events start, UTC.',
    provider   LowCardinality(String)
        COMMENT 'Provider of the last fix of the day, else of the events.',
    distance_m Float64                COMMENT 'Meters, as in v_device_days; 0 without fixes.',
    events     UInt64                 COMMENT 'Telemetry events of the device that start that day.',
    by_name    Map(String, UInt64)    COMMENT 'How many of each kind.',
    per_100_km Nullable(Float64)
        COMMENT 'Events per 100 kilometers; NULL below 1 kilometer. Over days divide the sums.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, if(max(from_fixes) != '', max(from_fixes), max(from_events)) AS provider,
          sum(metres) AS distance_m, sum(n) AS events,
          mapFilter((name, times) -> times > 0, sumMap(names)) AS by_name,
          if(distance_m >= 1000, events / distance_m * 100000, NULL) AS per_100_km
   FROM (SELECT device_id, day, toString(provider) AS from_fixes, '' AS from_events,
                distance_cm / 100 AS metres, toUInt64(0) AS n,
                CAST(map(), 'Map(String, UInt64)') AS names
         FROM device_days FINAL
         WHERE fixes > 0
         UNION ALL
         SELECT device_id, toDate(start_date), '', toString(provider), 0., toUInt64(1),
                CAST(map(toString(name), toUInt64(1)), 'Map(String, UInt64)')
         FROM v_telemetry_events)
   GROUP BY device_id, day
COMMENT 'Telemetry events of each device and day beside the distance of the day.';
