import type { BenchReport } from './measured.ts';
import type { AnalystRow } from './rows/analyst.ts';
import type { BackupRow } from './rows/backup.ts';
import type { CatchUpRow } from './rows/catch-up.ts';
import type { ChainCost } from './rows/chain.ts';
import type { DaysRow } from './rows/days.ts';
import type { DiskRow } from './rows/disk.ts';
import type { EdgeRow } from './rows/edge.ts';
import type { FreshnessRow } from './rows/freshness.ts';
import type { KnownDevicesRow } from './rows/known-devices.ts';
import type { LargeRow } from './rows/large.ts';
import type { LateInserts } from './rows/late.ts';
import type { OverloadRow } from './rows/overload.ts';
import type { RestartRow } from './rows/restart.ts';
import type { StrangerRow } from './rows/stranger.ts';
import type { SustainedRow } from './rows/sustained.ts';
import { targetLines } from './targets.ts';

/** The page: figures with the command that made them, ratios to the floor of the same run. */
export function pageOf(report: BenchReport): string {
  const { machine } = report;
  return `${[
    '# Measured costs', '',
    `\`${report.command}\` at commit ${machine.commit}: ${machine.cpu}, ${machine.cores} cores, `
    + `${machine.memoryGiB} GiB, Linux ${machine.kernel}, Node ${machine.node}; load before the run `
    + `${machine.loadBefore}. CPU is that of the subject's processes, from the kernel's books.`, '',
    ...targetLines(report), ...edgeLines(report.edge), ...chainLines(report),
    ...freshnessLines(report.freshness ?? []), ...catchUpLines(report.catchUp),
    ...knownLines(report.known ?? []), ...diskLines(report.disk),
    ...lateLines(report.late ?? []), ...analystLines(report.analysts ?? []),
    ...backupLines(report.backup),
    ...restartLines(report.restarts ?? []),
    ...strangerLines(report.strangers ?? []), ...largeLines(report.large ?? []),
    ...overloadLines(report.overload), ...sustainedLines(report.sustained),
  ].join('\n').trimEnd()}\n`;
}

function edgeLines(rows: readonly EdgeRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const floorOf = ({ lines, locations }: EdgeRow): number => rows.find((row) => (
    row.subject === 'floor' && row.lines === lines && row.locations === locations
  ))?.postUs ?? Number.NaN;
  return [
    '## Edge', '',
    'Medians of interleaved rounds; every post of all but the floor and nginx answered after acks=all.',
    '', '| lines | locations | subject | µs a post | times floor | rounds | posts/s | p50 ms | p99 ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.lines, row.locations, row.subject, row.postUs.toFixed(1),
      (row.postUs / floorOf(row)).toFixed(2), row.roundsUs.map((us) => us.toFixed(0)).join('/'),
      row.postsPerSecond.toFixed(0), row.p50Ms.toFixed(1), row.p99Ms.toFixed(1),
    )),
    ...wrongLines(rows.flatMap(({ subject, wrong }) => wrong.map((what) => `${subject}: ${what}`))),
  ];
}

function chainLines({ chain, chainOnMoreLines = [], days }: BenchReport): readonly string[] {
  if (chain === undefined) return [];
  const rows = [chain, ...chainOnMoreLines];
  const names = costNames(chain);
  return [
    '## Whole chain', '',
    'From the post to the row that can be queried, all on this machine, in µs of CPU a location; '
    + 'the last row was there so long after the last answer.', '',
    cells('lines', ...names, 'last row after ms'),
    `|${'---|'.repeat(names.length + 2)}`,
    ...rows.map((row) => cells(row.lines, ...costs(row), row.catchUpMs.toFixed(0))),
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)), ...daysLines(days),
  ];
}

function daysLines(row: DaysRow | undefined): readonly string[] {
  if (row === undefined) return [];
  return [
    'Computed in the background, but not during these rows; CPU of ClickHouse for days with '
    + `${row.fixes} fixes that came at once:`, '',
    cells('view', 's', 'µs a fix'), '|---|---|---|',
    ...row.views.map(({ view, cpuUs }) => (
      cells(view, (cpuUs / 1e6).toFixed(1), (cpuUs / row.fixes).toFixed(2))
    )), '',
  ];
}

function costNames({ cpuUs }: ChainCost): readonly string[] {
  return [...Object.keys(cpuUs), 'of clickhouse: merges', 'without the broker', 'locations/s'];
}

function costs({ cpuUs, mergesUs, oursUs, locationsPerSecond }: ChainCost): readonly string[] {
  return [
    ...[...Object.values(cpuUs), mergesUs, oursUs].map((us) => us.toFixed(2)),
    locationsPerSecond.toFixed(0),
  ];
}

function freshnessLines(rows: readonly FreshnessRow[]): readonly string[] {
  if (rows.length === 0) return [];
  return [
    '## Freshness', '',
    `From sending to being seen, at shares of the load that the chain took; ${rows[0]?.probes ?? 0} `
    + 'probes each.', '',
    '| load | Redis p50 ms | Redis p99 ms | ClickHouse p50 ms | ClickHouse p99 ms |',
    '|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.loadFraction, row.redisP50Ms.toFixed(0), row.redisP99Ms.toFixed(0),
      row.clickhouseP50Ms.toFixed(0), row.clickhouseP99Ms.toFixed(0),
    )),
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)),
  ];
}

function catchUpLines(row: CatchUpRow | undefined): readonly string[] {
  if (row === undefined) return [];
  return [
    '## Catching up', '',
    `The table-writer was away for ${(row.awayMs / 1_000).toFixed(0)} s under `
    + `${row.liveLocationsPerSecond.toFixed(0)} locations a second; back again it wrote `
    + `${row.timesLive.toFixed(1)} times as fast until it was level.`, ...wrongLines(row.wrong),
  ];
}

function knownLines(rows: readonly KnownDevicesRow[]): readonly string[] {
  const [least] = rows;
  if (least === undefined) return [];
  const mebibytes = (bytes: number): string => (bytes / 1_024 ** 2).toFixed(0);
  const names = [
    'known', 'sending', ...costNames(least), 'Redis MiB', 'Redis bytes a device', 'gateway MiB',
    'projectors MiB',
  ];
  return [
    '## Known devices', '', 'The chain again, with ever more devices that are tracked.', '',
    cells(...names), `|${'---|'.repeat(names.length)}`,
    ...rows.map((row) => cells(
      row.known, row.sending, ...costs(row), mebibytes(row.storeBytes),
      (row.storeBytes / row.known).toFixed(0), mebibytes(row.gatewayBytes),
      mebibytes(row.workerBytes),
    )),
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)),
  ];
}

function diskLines(row: DiskRow | undefined): readonly string[] {
  if (row === undefined) return [];
  return [
    '## Disk', '', 'After all merges.', '',
    '| locations | how many | bytes each | with telemetry |', '|---|---|---|---|',
    ...(['recorded', 'simulated'] as const).map((kind) => cells(
      kind, row[kind].locations, row[kind].locationBytes.toFixed(1),
      row[kind].withTelemetryBytes.toFixed(1),
    )), '',
  ];
}

function lateLines(rows: readonly LateInserts[]): readonly string[] {
  if (rows.length === 0) return [];
  return [
    '## Late fixes', '',
    'An insert of fixes of the last minutes, and one of as many over 399 days; CPU of ClickHouse, '
    + 'without merges, medians of interleaved rounds.', '',
    '| locations | fresh ms | late ms | times fresh | parts fresh | parts late |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.locations, row.freshMs.toFixed(0), row.lateMs.toFixed(0),
      (row.lateMs / row.freshMs).toFixed(2), row.freshParts, row.lateParts,
    )), '',
  ];
}

function analystLines(rows: readonly AnalystRow[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [
    '## Analysts', '',
    'An insert alone and one beside queries of analysts that take all the processor that they get, '
    + `on the same machine; medians of ${first.rounds} rounds by turns.`, '',
    '| queries beside | locations | alone ms | beside ms | times alone |', '|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.queries, row.locations, row.aloneMs.toFixed(0), row.besideMs.toFixed(0),
      (row.besideMs / row.aloneMs).toFixed(2),
    )), '',
  ];
}

function backupLines(row: BackupRow | undefined): readonly string[] {
  if (row === undefined) return [];
  const line = (what: string, locations: number, seconds: number, bytes?: number): string => cells(
    what, locations, seconds.toFixed(2), (seconds / (locations / 1e6)).toFixed(2),
    bytes === undefined ? '' : (bytes / locations).toFixed(1),
  );
  const { locations, moreLocations } = row;
  return [
    '## Backup and restore', '',
    'Of all tables that these locations fill, to a folder of the same disk, while merges go on.', '',
    '| what | locations | s | s a million | bytes each |', '|---|---|---|---|---|',
    line('a backup that needs no other', locations, row.fullSeconds, row.fullBytes),
    line('one upon it, of what is new', moreLocations, row.uponSeconds, row.uponBytes),
    line('a restore of both', locations + moreLocations, row.restoreSeconds), '',
    ...wrongLines(row.wrong),
  ];
}

function restartLines(rows: readonly RestartRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const mib = (bytes: number): string => (bytes / 1_024 ** 2).toFixed(0);
  return [
    '## Restarts by age', '',
    'The state store of a year ends as by a crash and starts with its file: the server has read it, '
    + 'and a post is taken again, so long after. Of twelve shipments eleven have ended.', '',
    '| shipments | devices | Redis MiB | bytes a device | on the road | ended | read after s '
    + '| CPU of it s | ready after s |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.shipments, row.devices, mib(row.months.at(-1)?.storeBytes ?? 0),
      row.deviceBytes.toFixed(0), row.liveBytes.toFixed(0), row.finishedBytes.toFixed(0),
      row.readSeconds.toFixed(1), row.readCpuSeconds.toFixed(1), row.readySeconds.toFixed(1),
    )), '',
    'MiB of the largest at the end of each month of its first year: '
    + `${rows.at(-1)?.months.map(({ storeBytes }) => mib(storeBytes)).join(', ') ?? ''}. After 407 `
    + 'days as many leave as come.', '',
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)),
  ];
}

function strangerLines(rows: readonly StrangerRow[]): readonly string[] {
  const [plain] = rows;
  if (plain === undefined) return [];
  return [
    '## Strangers', '',
    'A call with a token that was never issued, by its body; CPU of the gateway, medians of '
    + 'interleaved rounds.', '',
    '| body | bytes | unpacked | µs a call | times without |', '|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.body, row.bytes, row.unpackedBytes, row.callUs.toFixed(0),
      (row.callUs / plain.callUs).toFixed(2),
    )),
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)),
  ];
}

function largeLines(rows: readonly LargeRow[]): readonly string[] {
  if (rows.length === 0) return [];
  return [
    '## Large bodies', '',
    'One notification by what is in it: the longest pause of the event loop of the gateway, and CPU '
    + 'within the seconds after it; medians.', '',
    '| body | bytes | pause, ms | gateway, ms | workers, ms |', '|---|---|---|---|---|',
    ...rows.map((row) => cells(
      row.body, row.bytes, row.pauseMs.toFixed(1), row.gatewayMs.toFixed(0),
      row.workersMs.toFixed(0),
    )),
    ...wrongLines(rows.flatMap(({ wrong }) => wrong)),
  ];
}

function overloadLines(row: OverloadRow | undefined): readonly string[] {
  if (row === undefined) return [];
  return [
    '## Overload', '',
    `One provider tried far more than it may, another behaved; the peak is `
    + `${row.peakPostsPerSecond.toFixed(0)} posts a second. Together they tried `
    + `${row.triedFraction.toFixed(2)} times the peak, and ${row.acceptedFraction.toFixed(2)} of the peak `
    + `was accepted. The one that behaved was answered within ${row.calmP99Ms.toFixed(1)} ms (p99) `
    + `alone and ${row.besideP99Ms.toFixed(1)} ms beside the other.`, ...wrongLines(row.wrong),
  ];
}

function sustainedLines(row: SustainedRow | undefined): readonly string[] {
  if (row === undefined) return [];
  return [
    '## Sustained', '',
    `${row.known} devices known; ${row.wantedLocationsPerSecond.toFixed(0)} locations a second were `
    + `wanted, ${row.locationsPerSecond.toFixed(0)} came.`, '',
    '| second | accepted, not yet to be queried | that is, s |', '|---|---|---|',
    ...row.polls.map(({ atSecond, behindLocations }) => cells(
      atSecond, behindLocations, (behindLocations / row.locationsPerSecond).toFixed(1),
    )),
    ...wrongLines(row.wrong),
  ];
}

function wrongLines(wrong: readonly string[]): readonly string[] {
  return ['', ...wrong.map((what) => `**Wrong: ${what}.**`), ...(wrong.length > 0 ? [''] : [])];
}

function cells(...values: readonly (string | number)[]): string {
  return `| ${values.join(' | ')} |`;
}
