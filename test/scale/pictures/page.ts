import { percentile } from '../week/page.ts';
import type { PicturesResult } from './run-pictures.ts';

/** The most that a picture may take of the processor, by its 95th percentile. */
const PICTURE_CPU_MS_MAX = 300;

/** True when pictures are fast enough and every place in them is that of SQL. */
export function isPassed({ cpuMs, differing, differingAfterLate }: PicturesResult): boolean {
  return percentile(cpuMs, 95) <= PICTURE_CPU_MS_MAX && differing === 0 && differingAfterLate === 0;
}

/** The measurement as a page. */
export function pageOfPictures(
  result: PicturesResult, command: string, commit: string, machine: string,
): string {
  const row = (what: string, values: readonly number[], digits = 0): string => (
    `| ${what} | ${[50, 95, 100].map((percent) => percentile(values, percent).toFixed(digits)).join(' | ')} |`
  );
  return [
    '# Fleets of the past', '',
    `${result.devices.toLocaleString('en')} devices on ${result.days} days: a fix each minute for eight hours, and every ten`,
    'minutes besides; an hour of every twentieth device came three days late. Pictures of 100 random minutes',
    '(`v_fleet_at`) are read as the gateways read them, one after the other. Then places of 1,000 random devices in them',
    'are compared with SQL over `v_locations`, before and after late and repeated fixes came for each of them through',
    'the landing table ([ADR 0088](../../adr/0088-frames-are-rows-of-device-minutes.md)).', '',
    `\`${command}\` at commit ${commit}, ${machine}:`, '',
    '| A picture | p50 | p95 | most |', '|---|---|---|---|',
    row('milliseconds of processor of ClickHouse', result.cpuMs),
    row('milliseconds until it was there', result.wallMs),
    row('millions of rows read', result.megaRows, 2), '',
    '| Besides | |', '|---|---|',
    `| aim: milliseconds of processor, p95 | ${PICTURE_CPU_MS_MAX} |`,
    `| most memory of a picture | ${result.megaBytesMax.toFixed(0)} MB |`,
    `| fixes, frames | ${result.fixes.toLocaleString('en')}, ${result.frames.toLocaleString('en')} |`,
    `| bytes of a frame on the disk | ${result.bytesPerFrame.toFixed(1)} |`,
    `| places compared, those that differ, those that differ after late fixes | ${result.compared}, ${result.differing}, ${result.differingAfterLate} |`,
    '',
    'Processor time is that of the whole process, merges beside it included.', '',
  ].join('\n');
}
