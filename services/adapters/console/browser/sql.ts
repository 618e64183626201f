/** The question of an analyst that has the fixes of a track, ready for a client of ClickHouse. */
export function trackSql(deviceId: string, since: string, until: string): string {
  return `SELECT ts, latitude, longitude, speed, bearing, ignition, odometer, flags, received_at
FROM v_locations
WHERE device_id = ${literal(deviceId)}
  AND ts >= ${literal(timeOf(since))} AND ts < ${literal(timeOf(until))}
ORDER BY ts, latitude, longitude`;
}

/** A text in SQL: an id may come from a link that a stranger made, and must not end its quotes. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll('\'', '\\\'')}'`;
}

function timeOf(text: string): string {
  return text.slice(0, 19).replace('T', ' ');
}
