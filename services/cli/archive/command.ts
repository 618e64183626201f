import { example, repeated, wholeFrom } from '../../adapters/command-line/command-line.ts';
import { misuse, noun } from '../noun.ts';
import type { Report } from '../ports.ts';
import { archiveView, type ArchivePorts, type ViewArchived } from './archive-view.ts';
import { readCatalog, whileLocked } from './catalog.ts';
import { ARCHIVED_VIEWS } from './views.ts';

interface Words {
  readonly view?: readonly string[];
  readonly days: number;
  readonly acceptFewer: boolean;
  readonly list: boolean;
}

const DAY_S = 86_400;
/** A day is archived this long after its end, when the last fixes have come and are computed. */
const SETTLED_S = 3_600;
/** The tables keep 400 days, and the last of them are going already. */
const DAYS_MAX = 395;

/** `rastro archive`: closed days as Parquet in a folder or a bucket, which outlive the tables. */
export const archiveCommand = noun<ArchivePorts>((command, does) => {
  example(command
    .description('Closed days as Parquet in RASTRO_ARCHIVE_STORAGE; those that changed since again.')
    .option('--view <view>', 'only this view', repeated)
    .option('--days <days>', 'how many days back', wholeFrom(1, DAYS_MAX), DAYS_MAX)
    .option('--accept-fewer', 'also days of which the tables hold fewer rows than the archive', false)
    .option('--list', 'what the archive holds', false)
    .action(does((ports, words: Words) => {
      const known = ARCHIVED_VIEWS.map(({ view }) => view.name);
      const unknown = words.view?.find((name) => !known.includes(name));
      if (unknown !== undefined) {
        return misuse(`${unknown} is not archived; ${known.join(', ')} are.`);
      }
      const { files, nowMs } = ports;
      return words.list ? list(ports) : whileLocked(files, nowMs, () => archive(ports, words));
    })),
  'rastro archive', 'Exit codes: 0 every closed day is in the archive, 1 failed or the tables hold fewer'
    + ' rows of a day than the archive, 2 wrong use.');
});

async function archive(ports: ArchivePorts, { view, days, acceptFewer }: Words): Promise<Report> {
  const lastS = Math.floor((ports.nowMs() / 1_000 - SETTLED_S) / DAY_S) * DAY_S;
  const closed = Array.from({ length: days }, (_, n) => lastS - (days - n) * DAY_S);
  const done: ViewArchived[] = [];
  for (const each of ARCHIVED_VIEWS) {
    if (view !== undefined && !view.includes(each.view.name)) continue;
    done.push(await archiveView(each, { days: closed, acceptsFewer: acceptFewer }, ports));
  }
  const fewer = done.filter((each) => each.fewer.length > 0);
  return {
    value: { views: done },
    lines: [
      ...done.map(({ view: name, archived, rows }) => (
        `${name}: ${archived.length} days archived, ${rows} rows.`
      )),
      ...fewer.map(({ view: name, fewer: kept }) => (
        `${name}: the tables hold fewer rows than the archive of ${kept.join(', ')}; these days are `
        + 'kept as they are. Restore the tables, or say --accept-fewer.'
      )),
    ],
    exitCode: fewer.length > 0 ? 1 : 0,
  };
}

async function list({ files }: ArchivePorts): Promise<Report> {
  const views = [];
  for (const { view: { name } } of ARCHIVED_VIEWS) {
    const days = Object.entries((await readCatalog(files, name))?.days ?? {});
    const sum = (of: (day: (typeof days)[number][1]) => number): number => (
      days.reduce((total, [, day]) => total + of(day), 0)
    );
    views.push({
      view: name, days: days.length, first: days.map(([day]) => day).toSorted()[0],
      rows: sum(({ rows }) => rows),
      bytes: sum(({ files: all }) => all.reduce((total, { bytes }) => total + bytes, 0)),
    });
  }
  return {
    value: { views },
    lines: views.map(({ view, days, first, rows, bytes }) => (
      `${view}: ${days} days${first === undefined ? '' : ` from ${first}`}, ${rows} rows, ${bytes} bytes.`
    )),
    exitCode: 0,
  };
}
