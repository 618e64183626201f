import type { RowSink } from '../../../services/kernel/row-sink.ts';
import type { FleetMoment } from './compare.ts';

/**
 * Sends a late fix of each device in the minute of its moment, and one ten minutes before it,
 * through the landing table as the table writer does, and all of them twice.
 */
export async function sendLateFixes(
  sink: RowSink, moments: readonly FleetMoment[], nowMs: number,
): Promise<void> {
  const posts = moments.flatMap(({ at, devices }) => devices.map((device, n) => ({
    m: {
      d: device, o: '100000000000007', p: 'late', c: 'BR', t: 0, r: nowMs, kp: 1, ko: at + n,
    },
    post_timestamp: Math.floor(nowMs / 1_000),
    locations: [Math.floor(at / 60) * 60 + n % 60, at - 600].map((timestamp) => (
      { timestamp, country_id: 'BR', latitude: 10 + n / 100, longitude: 20 + at % 100 / 100 }
    )),
  })));
  const lines = posts.map((each) => Buffer.from(JSON.stringify(each)));
  for (const token of ['first', 'again']) {
    const answer = await sink.insert('in_locations', lines, `late fixes, ${token}, ${nowMs}`);
    if (answer.kind !== 'stored') throw new Error('Late fixes were not stored.');
  }
}
