-- The way of one device, for who may see that and no free text of providers: the gateways show it.
-- The device and the time are parameters, so that nothing else can be asked for, and are conditions
-- on the key: a day of a device is read and not a day of all.

CREATE VIEW IF NOT EXISTS v_device_track
(
    ts           DateTime('UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC seconds.',
    latitude     Float64                COMMENT 'Degrees, resolution 1e-7.',
    longitude    Float64                COMMENT 'Degrees, resolution 1e-7.',
    country_id   LowCardinality(String) COMMENT 'Country of the fix as sent.',
    speed        Nullable(Float32)
        COMMENT 'Speed of the fix''s telemetry, kilometers/hour.',
    bearing      Nullable(Float32)      COMMENT 'Direction of travel, degrees.',
    accuracy     Nullable(Float32)      COMMENT 'Radial horizontal accuracy, meters.',
    ignition     Nullable(Bool)         COMMENT 'Ignition of the fix''s telemetry.',
    odometer     Nullable(Float64)      COMMENT 'Odometer of the fix''s telemetry, kilometers.',
    flags        Array(String)          COMMENT 'As in v_locations.',
    client_id    LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider     LowCardinality(String) COMMENT 'Provider of the call''s path.',
    received_at  DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT ts, latitude, longitude, country_id, speed, bearing, accuracy, ignition, odometer, flags,
          client_id, provider, received_at
   FROM v_locations
   WHERE device_id = {device:String}
     AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
COMMENT 'The fixes of a device in a time, as in v_locations.';

CREATE VIEW IF NOT EXISTS v_device_readings
(
    ts                  DateTime64(3, 'UTC')
        COMMENT 'When the telemetry was obtained, by the device''s clock, UTC milliseconds.',
    fuel_level          Nullable(Float32)
        COMMENT 'Percent; outside 0 to 100 the row carries percent_range.',
    fuel_quantity       Nullable(Float32)      COMMENT 'Liters.',
    engine_rpm          Nullable(Float32)      COMMENT 'Revolutions/minute.',
    engine_temperature  Nullable(Float32)      COMMENT 'Degrees Celsius.',
    air_temperature     Nullable(Float32)      COMMENT 'Degrees Celsius.',
    battery_level       Nullable(Float32)
        COMMENT 'Percent; outside 0 to 100 the row carries percent_range.',
    battery_temperature Nullable(Float32)      COMMENT 'Degrees Celsius.',
    client_id           LowCardinality(String) COMMENT 'Client that sent it.'
)
SQL SECURITY DEFINER
AS SELECT ts, fuel_level, fuel_quantity, engine_rpm, engine_temperature, air_temperature,
          battery_level, battery_temperature, client_id
   FROM v_telemetry
   WHERE device_id = {device:String}
     AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
     AND coalesce(fuel_level, fuel_quantity, engine_rpm, engine_temperature, air_temperature,
                  battery_level, battery_temperature) IS NOT NULL
COMMENT 'What a device measured in a time, where a fix has no column for it; as in v_telemetry.';
