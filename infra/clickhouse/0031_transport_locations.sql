-- Where a transport was, whichever devices it had. Fixes are in the order of days and devices, so
-- the index of transports finds the days of its devices first, and FINAL merges these alone. The
-- index is not enough on its own: FINAL has to read what may be a twin of a row that it found, and
-- the late partition has twins of everything.

-- A fix keeps the transport of its first sending, so that the condition is asked again after FINAL.
CREATE VIEW IF NOT EXISTS v_transport_locations
(
    transport_id Int64                  COMMENT 'The transport, at the receipt of the fix.',
    device_id    String                 COMMENT 'RTT device id.',
    ts           DateTime('UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC seconds.',
    latitude     Float64                COMMENT 'Degrees, resolution 1e-7.',
    longitude    Float64                COMMENT 'Degrees, resolution 1e-7.',
    speed        Nullable(Float32)
        COMMENT 'Speed of the fix''s telemetry, kilometers/hour.',
    ignition     Nullable(Bool)         COMMENT 'Ignition of the fix''s telemetry.',
    odometer     Nullable(Float64)      COMMENT 'Odometer of the fix''s telemetry, kilometers.',
    flags        Array(String)          COMMENT 'As in v_locations.',
    client_id    LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider     LowCardinality(String) COMMENT 'Provider of the call''s path.',
    received_at  DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT transport_id, device_id, ts, latitude, longitude, speed, ignition, odometer, flags,
          client_id, provider, received_at
   FROM v_locations
   WHERE transport_id = {transport:Int64}
     AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
     AND (toDate(ts), device_id) IN (
         SELECT toDate(ts), device_id
         FROM locations
         WHERE transport_id = {transport:Int64}
           AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')})
COMMENT 'The fixes of a transport in a time, as in v_locations; fast for a month too.';
