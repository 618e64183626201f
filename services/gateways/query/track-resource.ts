import type {
  DeviceTrack as DeviceTrackBody, TrackFix as TrackFixBody, TrackOddFix as TrackOddFixBody,
  TrackPost as TrackPostBody, TrackReading as TrackReadingBody,
} from '../../../schemas/generated/types.ts';
import type {
  DeviceTrack, TrackFix, TrackOddFix, TrackPost, TrackReading,
} from '../../kernel/device-tracks.ts';
import type { DeviceId } from '../../kernel/ids.ts';

/** The time of a track, [since, until), epoch seconds. */
export interface TrackTime {
  readonly sinceSeconds: number;
  readonly untilSeconds: number;
}

/** The way of a device as callers see it; what the device did not report is left out. */
export function trackResource(
  deviceId: DeviceId, { sinceSeconds, untilSeconds }: TrackTime,
  { fixes, readings, posts, oddFixes, oddTotal }: DeviceTrack,
): DeviceTrackBody {
  return {
    device_id: deviceId,
    since: timeOf(sinceSeconds * 1_000), until: timeOf(untilSeconds * 1_000),
    fixes_total: fixes.total, fixes_every: fixes.every, fixes: fixes.items.map(fixBody),
    readings_total: readings.total, readings_every: readings.every,
    readings: readings.items.map(readingBody),
    odd_fixes_total: oddTotal, odd_fixes: oddFixes.map(oddFixBody),
    ...posts === undefined ? {} : {
      posts_total: posts.total, posts_every: posts.every, posts: posts.items.map(postBody),
    },
  };
}

function fixBody({ received_at_ms, flags, ...fix }: TrackFix): TrackFixBody {
  return {
    ...withoutGaps(fix), received_at: timeOf(received_at_ms),
    flags: flags as TrackFixBody['flags'],
  };
}

function readingBody({ at_ms, ...values }: TrackReading): TrackReadingBody {
  return { timestamp: at_ms / 1_000, ...values };
}

function postBody({ received_at_ms, code, ...post }: TrackPost): TrackPostBody {
  return { ...post, received_at: timeOf(received_at_ms), ...code === '' ? {} : { code } };
}

function oddFixBody({ kind, received_at_ms, ...fix }: TrackOddFix): TrackOddFixBody {
  return { ...fix, kind: kind as TrackOddFixBody['kind'], received_at: timeOf(received_at_ms) };
}

type Known<Row> = { [Name in keyof Row]: Exclude<Row[Name], undefined> };

function withoutGaps<Row extends object>(row: Row): Known<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  ) as Known<Row>;
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
