import type { WeekResult } from './run-week.ts';

const FLEET = 100_000;
const FIXES_PER_DAY = 8_640;
const MINUTES_PER_DAY = 1_440;
const DAY_S = 86_400;

/** What the same would take with 100,000 devices. */
export interface ScaledWeek {
  /** CPU of refreshes for each new fix, in µs, beyond those that compute nothing. */
  readonly usPerFix: number;
  /** The same in the last hour of days, when whole days would cost most. */
  readonly usPerLastFix: number;
  /** CPU of refreshes on a day, with one each minute. */
  readonly cpuSPerDay: number;
  /** Cores that are busy all day, and in the last hour. */
  readonly cores: number;
  readonly coresOfLastHour: number;
}

/** Scales by fixes; what a refresh takes that computes nothing counts once a minute. */
export function scaledOf(week: WeekResult): ScaledWeek {
  const { refreshes, refreshCpuS, idleCpuS, days, devices, lastHourCpuS, lastHourFixes } = week;
  const fixes = devices * days * FIXES_PER_DAY;
  const usPerFix = Math.max(refreshCpuS - refreshes * idleCpuS, 0) / fixes * 1e6;
  const lastRefreshes = 6 * days;
  const usPerLastFix = Math.max(lastHourCpuS - lastRefreshes * idleCpuS, 0) / lastHourFixes * 1e6;
  const idleCores = idleCpuS * MINUTES_PER_DAY / DAY_S;
  const fixesPerSecond = FLEET * FIXES_PER_DAY / DAY_S;
  const cores = idleCores + usPerFix * fixesPerSecond / 1e6;
  return {
    usPerFix, usPerLastFix, cpuSPerDay: cores * DAY_S, cores,
    coresOfLastHour: idleCores + usPerLastFix * fixesPerSecond / 1e6,
  };
}

/** Of all values the one that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(Math.ceil(sorted.length * percent / 100) - 1, 0)] ?? Number.NaN;
}

/** The week as a page. */
export function pageOfWeek(
  week: WeekResult, command: string, commit: string, machine: string,
): string {
  const scaled = scaledOf(week);
  const ofFleet = `${FLEET.toLocaleString('en')} devices`;
  const row = (what: string, values: readonly number[]): string => (
    `| ${what} | ${[50, 99, 100].map((percent) => percentile(values, percent)).join(' | ')} |`
  );
  return [
    '# A simulated week', '',
    `${week.devices} devices send a fix each 10 s for ${week.days === 1 ? 'a day' : `${week.days} days`}. One hour of a hundred begins with ten minutes`,
    'that come three hours late; one minute of two hundred comes twice. Time is compressed: tables ask a simulated',
    'clock, which moves on when what arrives in two minutes was inserted and what is due every ten was computed.',
    'Computing takes no time of that clock, so ages hold as long as the cores below are there.', '',
    `\`${command}\` at commit ${commit}, ${machine}:`, '',
    '| Seconds of the simulated clock | p50 | p99 | most |', '|---|---|---|---|',
    row('age of the rows of today', week.ageS),
    row('row of yesterday computed after its last fix, after midnight', week.finalS), '',
    'In production a refresh begins each minute, so that both are up to 60 s more, and what computing takes.', '',
    '| Cost | |', '|---|---|',
    `| fixes in the days | ${week.fixes} |`,
    `| days that went on from a state, days computed whole again | ${week.onward}, ${week.wholeAgain} |`,
    `| rows of the last two days that differ from computing them whole | ${week.differing} |`,
    `| CPU of a refresh that computes nothing | ${week.idleCpuS.toFixed(2)} s |`,
    `| CPU of refreshes beyond that, a new fix | ${scaled.usPerFix.toFixed(1)} µs |`,
    `| the same in the last hour of days | ${scaled.usPerLastFix.toFixed(1)} µs |`,
    `| CPU of inserts and merges beside them | ${week.insertCpuS.toFixed(0)} s |`,
    `| most memory of ClickHouse | ${(week.memoryBytesMax / 1e6).toFixed(0)} MB |`, '',
    `Scaled by fixes to ${ofFleet}, with a refresh each minute: **${scaled.cpuSPerDay.toFixed(0)} s of CPU a day,`,
    `${scaled.cores.toFixed(2)} cores on average and ${scaled.coresOfLastHour.toFixed(2)} in the last hour of a day**, for days of devices alone.`,
    'This is arithmetic, not a run with so many devices.', '',
  ].join('\n');
}
