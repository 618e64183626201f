import type { Warn } from './collect.ts';
import { secondsOf, type BodyItem } from './items.ts';

/** From here on the tables say that a time is ahead, or old. */
const AHEAD_SECONDS = 300;
const OLD_SECONDS = 86_400;
const HOUR = 3_600;
/** Zones are at most so far from UTC. */
const HOURS_MAX = 14;
/** What is sent within so much of a whole hour away was hardly late by chance. */
const HOUR_SLACK_SECONDS = 120;

/** Operations whose items are old by their nature: a summary, or a report of a carrier. */
const MAY_BE_OLD: ReadonlySet<string> = new Set(['send-deferred-events', 'push-notifications']);

/** Times that a wrong clock, zone or unit explains best, against the time of receipt. */
export function warnOfTimes(
  operation: string, items: readonly BodyItem[], postTime: unknown, nowMs: number, warn: Warn,
): void {
  const now = nowMs / 1_000;
  const timed = items.flatMap(({ pointer, timeName, seconds }) => (
    seconds === undefined ? [] : [{ at: `${pointer}/${timeName}`, seconds }]
  ));
  const newest = timed.reduce<(typeof timed)[number] | undefined>(
    (best, each) => (best === undefined || each.seconds > best.seconds ? each : best), undefined,
  );
  const post = secondsOf(postTime);
  const clocks = [
    ...(post === undefined ? [] : [{ at: '/post_timestamp', seconds: post }]),
    ...(newest === undefined ? [] : [newest]),
  ];
  const off = clocks.find(({ seconds }) => hoursOff(seconds - now) !== undefined);
  if (off !== undefined) {
    const hours = hoursOff(off.seconds - now) ?? 0;
    warn(off.at, 'clock_hours_off', `is ${Math.abs(hours)} ${Math.abs(hours) === 1 ? 'hour' : 'hours'}`
      + ` ${hours > 0 ? 'ahead of' : 'behind'} now: a local time may have been sent as UTC.`);
  } else {
    for (const { at, seconds } of timed) {
      if (seconds > now + AHEAD_SECONDS) warn(at, 'future_time', `is ${ago(seconds - now)} ahead of now.`);
    }
  }
  if (newest !== undefined && !MAY_BE_OLD.has(operation) && newest.seconds < now - OLD_SECONDS) {
    warn(newest.at, 'stale_time', `is the newest time, and ${ago(now - newest.seconds)} old.`);
  }
}

/** Events that end before they start. */
export function warnOfReversed(items: readonly BodyItem[], warn: Warn): void {
  for (const { pointer, fields } of items) {
    const [starts, ends] = [secondsOf(fields['start_date']), secondsOf(fields['end_date'])];
    if (starts === undefined || ends === undefined || ends >= starts) continue;
    warn(`${pointer}/end_date`, 'reversed_times', 'is before start_date.');
  }
}

function hoursOff(deltaSeconds: number): number | undefined {
  const hours = Math.round(deltaSeconds / HOUR);
  const isOff = hours !== 0 && Math.abs(hours) <= HOURS_MAX
    && Math.abs(deltaSeconds - hours * HOUR) <= HOUR_SLACK_SECONDS;
  return isOff ? hours : undefined;
}

function ago(seconds: number): string {
  if (seconds < 2 * HOUR) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 2 * OLD_SECONDS) return `${Math.round(seconds / HOUR)} hours`;
  return `${Math.round(seconds / OLD_SECONDS)} days`;
}
