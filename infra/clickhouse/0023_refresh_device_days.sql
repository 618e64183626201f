-- When days of devices are computed (0021, 0022), and where they go.

-- What was computed comes here, keeps nothing, and goes on to the day and to its state.
CREATE TABLE IF NOT EXISTS computed_device_days
ENGINE = Null EMPTY
AS SELECT *, now64(3, 'UTC') AS computed_at FROM device_days_now;

CREATE MATERIALIZED VIEW IF NOT EXISTS computed_device_days_to_device_days TO device_days
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
          distance_cm, odometer_km, driving_s, standing_s, stops, gaps, gap_s, jumps, speed_max,
          trips, stays, cells, computed_at
   FROM computed_device_days;

CREATE MATERIALIZED VIEW IF NOT EXISTS computed_device_days_to_device_day_states
TO device_day_states
SQL SECURITY DEFINER
AS SELECT device_id, day, next_cut AS cut, next_fixes AS fixes, next_owner AS owner,
          next_first AS first, next_last AS last, next_distance_cm AS distance_cm,
          next_odometer_min AS odometer_min, next_odometer_max AS odometer_max,
          next_driving_s AS driving_s, next_standing_s AS standing_s, next_gaps AS gaps,
          next_gap_s AS gap_s, next_jumps AS jumps, next_speed_max AS speed_max,
          next_pieces AS pieces, next_rests AS rests, next_cells AS cells, next_before AS before,
          computed_at
   FROM computed_device_days
   WHERE next_cut > 0;

-- Sorting and grouping go to disk early, so that memory does not grow with the fixes of the days.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_refresh
REFRESH EVERY 1 MINUTE APPEND TO computed_device_days EMPTY
SQL SECURITY DEFINER
AS SELECT *, now64(3, 'UTC') AS computed_at
   FROM device_days_now
   SETTINGS max_bytes_before_external_sort = 200000000,
            max_bytes_before_external_group_by = 200000000;
