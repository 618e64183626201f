-- What analysts read. FINAL removes duplicates when a view is read, across partitions. Duplicates
-- have the same time, so that other days need not be read (the first two settings). They have the
-- same sorting key, so that conditions on it come before FINAL, which then merges fewer rows (the
-- third).
-- The views run with the rights of their maker: readers need no right on the tables.

CREATE VIEW IF NOT EXISTS v_locations
(
    device_id        String                 COMMENT 'RTT device id.',
    ts               DateTime('UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC seconds.',
    latitude         Float64                COMMENT 'Degrees, resolution 1e-7.',
    longitude        Float64                COMMENT 'Degrees, resolution 1e-7.',
    country_id       LowCardinality(String)
        COMMENT 'Country of the fix as sent.',
    country_code     String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    altitude         Nullable(Float32)      COMMENT 'Meters above sea level.',
    accuracy         Nullable(Float32)      COMMENT 'Radial horizontal accuracy, meters.',
    bearing          Nullable(Float32)      COMMENT 'Direction of travel, degrees.',
    bearing_accuracy Nullable(Float32)      COMMENT 'Accuracy of the bearing, degrees.',
    speed            Nullable(Float32)
        COMMENT 'Speed of the fix''s telemetry, kilometers/hour.',
    ignition         Nullable(Bool)         COMMENT 'Ignition of the fix''s telemetry.',
    odometer         Nullable(Float64)      COMMENT 'Odometer of the fix''s telemetry, kilometers.',
    metadata         Map(LowCardinality(String), String)
        COMMENT 'Free pairs as sent, in their order.',
    flags            Array(String)
        COMMENT 'future, zero_position, stale, jump or percent_range; empty when nothing is odd.',
    client_id        LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider         LowCardinality(String) COMMENT 'Provider of the call''s path.',
    call_country_id  LowCardinality(String)
        COMMENT 'Country of the call; need not be that of the fix.',
    transport_id     Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    post_ts          DateTime('UTC')
        COMMENT 'When the post was sent, by the device''s clock, UTC seconds.',
    received_at      DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.',
    clock_skew_ms    Int64
        COMMENT 'received_at minus post_ts, milliseconds: clock error plus the way.',
    k_partition      UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset         UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude, country_id,
          if(joinGet({database}.country_codes, 'code', upper(country_id)) = '', upper(country_id),
             joinGet({database}.country_codes, 'code', upper(country_id))) AS country_code,
          altitude,
          accuracy, bearing, bearing_accuracy, speed, ignition, odometer, metadata,
          arrayFilter((name, bit) -> bitTest(flag_bits, bit),
              ['future', 'zero_position', 'stale', 'jump', 'percent_range'],
              [0, 1, 2, 3, 4]) AS flags,
          client_id, provider, call_country_id, transport_id, post_ts, received_at,
          toUnixTimestamp64Milli(received_at) - toInt64(post_ts) * 1000 AS clock_skew_ms,
          k_partition, bitNot(k_rank) AS k_offset
   FROM locations FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0, optimize_move_to_prewhere_if_final = 1
COMMENT 'A row for each distinct fix of a transport device, at its first sending.';

CREATE VIEW IF NOT EXISTS v_telemetry
(
    device_id                 String                 COMMENT 'RTT device id.',
    ts                        DateTime64(3, 'UTC')
        COMMENT 'When the telemetry was obtained, by the device''s clock, UTC milliseconds.',
    latitude                  Float64
        COMMENT 'Latitude of the fix that carried it, degrees.',
    longitude                 Float64
        COMMENT 'Longitude of the fix that carried it, degrees.',
    country_id                LowCardinality(String)
        COMMENT 'Country of the fix as sent.',
    country_code              String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    ignition                  Nullable(Bool)         COMMENT 'Ignition status.',
    odometer                  Nullable(Float64)      COMMENT 'Kilometers.',
    speed                     Nullable(Float32)      COMMENT 'Kilometers/hour.',
    speed_accuracy            Nullable(Float32)      COMMENT 'Meters per second.',
    engine_rpm                Nullable(Float32)      COMMENT 'Revolutions/minute.',
    engine_temperature        Nullable(Float32)      COMMENT 'Degrees Celsius.',
    air_temperature           Nullable(Float32)      COMMENT 'Degrees Celsius.',
    acceleration_longitudinal Nullable(Float32)      COMMENT 'Meters/second squared.',
    acceleration_lateral      Nullable(Float32)      COMMENT 'Meters/second squared.',
    direction                 LowCardinality(String)
        COMMENT 'Compass direction, empty when not sent.',
    fuel_quantity             Nullable(Float32)      COMMENT 'Liters.',
    fuel_level                Nullable(Float32)
        COMMENT 'Percent; outside 0 to 100 the row carries percent_range.',
    fuel_consumption          Nullable(Float32)      COMMENT 'Kilometers/liter.',
    battery_level             Nullable(Float32)
        COMMENT 'Percent; outside 0 to 100 the row carries percent_range.',
    battery_consumption       Nullable(Float32)      COMMENT 'Kilometers/kilowatt.',
    battery_health            Nullable(Float32)
        COMMENT 'Percent; outside 0 to 100 the row carries percent_range.',
    battery_temperature       Nullable(Float32)      COMMENT 'Degrees Celsius.',
    battery_remaining         Nullable(Float32)      COMMENT 'Kilowatt hours.',
    others                    Map(LowCardinality(String), String)
        COMMENT 'Telemetry without a field of its own, as sent.',
    flags                     Array(String)
        COMMENT 'As in v_locations; future and stale by the telemetry''s own time.',
    client_id                 LowCardinality(String) COMMENT 'Client that sent it.',
    provider                  LowCardinality(String) COMMENT 'Provider of the call''s path.',
    call_country_id           LowCardinality(String) COMMENT 'Country of the call.',
    transport_id              Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    post_ts                   DateTime('UTC')
        COMMENT 'When the post was sent, by the device''s clock, UTC seconds.',
    received_at               DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.',
    clock_skew_ms             Int64
        COMMENT 'received_at minus post_ts, milliseconds.',
    k_partition               UInt16
        COMMENT 'Partition of the log that holds the record.',
    k_offset                  UInt64
        COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude, country_id,
          if(joinGet({database}.country_codes, 'code', upper(country_id)) = '', upper(country_id),
             joinGet({database}.country_codes, 'code', upper(country_id))) AS country_code,
          ignition,
          odometer, speed, speed_accuracy, engine_rpm, engine_temperature, air_temperature,
          acceleration_longitudinal, acceleration_lateral, direction, fuel_quantity, fuel_level,
          fuel_consumption, battery_level, battery_consumption, battery_health,
          battery_temperature, battery_remaining, others,
          arrayFilter((name, bit) -> bitTest(flag_bits, bit),
              ['future', 'zero_position', 'stale', 'jump', 'percent_range'],
              [0, 1, 2, 3, 4]) AS flags,
          client_id, provider, call_country_id, transport_id, post_ts, received_at,
          toUnixTimestamp64Milli(received_at) - toInt64(post_ts) * 1000 AS clock_skew_ms,
          k_partition, bitNot(k_rank) AS k_offset
   FROM telemetry FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0, optimize_move_to_prewhere_if_final = 1
COMMENT 'A row for each distinct telemetry of a device, under its own time.';

CREATE VIEW IF NOT EXISTS v_location_outliers
(
    device_id       String                 COMMENT 'RTT device id.',
    kind            LowCardinality(String)
        COMMENT 'location or telemetry: whose time is out of range.',
    reason          LowCardinality(String)
        COMMENT
    'clock_not_set (not 2000 to 2100), gps_week_rollover (1,024 weeks), too_old, too_far_ahead.',
    ts              DateTime64(3, 'UTC')
        COMMENT 'The time out of range, UTC milliseconds; after 2299 its end, exact in content.',
    latitude        Float64                COMMENT 'Degrees.',
    longitude       Float64                COMMENT 'Degrees.',
    content         String
        COMMENT 'The whole fix or telemetry as JSON; fields not sent are null or empty.',
    client_id       LowCardinality(String) COMMENT 'Client that sent it.',
    provider        LowCardinality(String) COMMENT 'Provider of the call''s path.',
    call_country_id LowCardinality(String) COMMENT 'Country of the call.',
    transport_id    Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    post_ts         DateTime('UTC')
        COMMENT 'When the post was sent, by the device''s clock, UTC seconds.',
    received_at     DateTime64(3, 'UTC')
        COMMENT 'When the gateway received it, UTC milliseconds.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset        UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, kind, reason, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude, content,
          client_id, provider, call_country_id, transport_id, post_ts, received_at, k_partition,
          bitNot(k_rank) AS k_offset
   FROM location_outliers FINAL
COMMENT 'Fixes and telemetry over 400 days old or over a day ahead at receipt; in no other view.';

CREATE VIEW IF NOT EXISTS v_device_last
(
    device_id    String               COMMENT 'RTT device id.',
    ts           DateTime('UTC')
        COMMENT 'Newest time of a fix that is neither future nor at 0,0.',
    latitude     Float64              COMMENT 'Degrees.',
    longitude    Float64              COMMENT 'Degrees.',
    country_id   String               COMMENT 'Country of the fix as sent.',
    country_code String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    speed        Nullable(Float32)    COMMENT 'Kilometers/hour.',
    bearing      Nullable(Float32)    COMMENT 'Degrees.',
    ignition     Nullable(Bool)       COMMENT 'Ignition status.',
    client_id    String               COMMENT 'Client that sent the fix.',
    provider     String               COMMENT 'Provider of the call''s path.',
    transport_id Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    received_at  DateTime64(3, 'UTC') COMMENT 'When the gateway received it, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT device_id, last.1 AS ts, last.2 / 1e7 AS latitude, last.3 / 1e7 AS longitude,
          last.4 AS country_id,
          if(joinGet({database}.country_codes, 'code', upper(last.4)) = '', upper(last.4),
             joinGet({database}.country_codes, 'code', upper(last.4))) AS country_code,
          last.5 AS speed, last.6 AS bearing, last.7 AS ignition,
          last.8 AS client_id, last.9 AS provider, last.10 AS transport_id, last.11 AS received_at
   FROM (SELECT device_id, argMaxMerge(place) AS last FROM device_last GROUP BY device_id)
COMMENT 'The newest trustworthy place of each device; of two in one second the later in the log.';
