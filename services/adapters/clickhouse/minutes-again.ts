/**
 * The statement that makes the minutes and frames of devices again from their stored fixes, as
 * `in_flat_fixes_to_device_minutes` makes them with an insert (0015). `which` chooses the fixes.
 */
export function minutesAgain(which: string): string {
  return `INSERT INTO device_minutes
  SELECT frame_minutes, device_id, multiIf(frame_minutes = 60, toStartOfHour(at),
             frame_minutes = 10, toStartOfTenMinutes(at), at) AS minute,
         if(frame_minutes = 0, m.seconds, 0) AS seconds,
         if(frame_minutes = 0, m.last_place, (toDateTime(0, 'UTC'), 0, 0, 0)) AS last_place,
         if(frame_minutes = 0, m.speed_max, NULL) AS speed_max,
         if(frame_minutes = 0, m.odometer_min, NULL) AS odometer_min,
         if(frame_minutes = 0, m.odometer_max, NULL) AS odometer_max,
         if(frame_minutes = 0, m.ignition, NULL) AS ignition,
         if(frame_minutes = 0, m.provider, '') AS provider,
         if(frame_minutes = 0, m.country_id, '') AS country_id,
         if(frame_minutes = 0, (toDateTime(0, 'UTC'), 0, 0, ''), last) AS last_fix,
         is_late, if(frame_minutes = 0, now('UTC'), toDateTime(0, 'UTC')) AS arrived_at
  FROM (SELECT device_id, toStartOfMinute(ts) AS at,
               groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))) AS seconds,
               max((ts, lat_e7, lon_e7,
                    concat(client_id, '\\t', f.provider, '\\t', f.country_id))) AS last,
               (last.1, last.2, last.3, geoToH3(last.2 / 1e7, last.3 / 1e7, 8)) AS last_place,
               max(speed) AS speed_max, min(odometer) AS odometer_min,
               max(odometer) AS odometer_max, max(f.ignition) AS ignition,
               max(f.provider) AS provider, max(f.country_id) AS country_id,
               toDate(ts) != toDate(received_at) AS is_late
        FROM locations AS f
        WHERE ${which} AND bitAnd(flag_bits, 2) = 0
        GROUP BY device_id, at, is_late) AS m
  ARRAY JOIN [0, 1, 10, 60] AS frame_minutes`;
}
