import {
  example, numberFrom, oneOf, wholeFrom, wrongValue,
} from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readOverflow } from '../../kernel/read-overflow.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { Report } from '../ports.ts';
import { noun } from '../noun.ts';
import { readKeyLoads, type KeyLoad } from './hot-keys.ts';
import { tableOf } from '../print/lines.ts';
import type { LogTail } from './tail.ts';
import { windowFrom } from './window.ts';

interface HotKeysOptions {
  readonly topic: string;
  readonly top: number;
  readonly window: number;
  readonly records: number;
  readonly ratio: number;
  readonly minRecords: number;
}

const FIVE_MINUTES_MS = 300_000;

/** What `rastro hot-keys` takes. */
export type HotKeysPorts = LogTail & { readonly clock: Clock; readonly reader: LogReader };

/** Topics whose keys are ids of ours or of the interface: others may name persons, or secrets. */
const SHOWN: readonly string[] = [
  TOPICS.locations, TOPICS.telemetryEvents, TOPICS.deferredEvents, TOPICS.deviceLifecycle,
  TOPICS.notifications, TOPICS.journey, TOPICS.authorizations, TOPICS.authorizationCalls,
  TOPICS.providerCommands, TOPICS.providerCommandResults,
].map(({ name }) => name);

/** When a key is hot: it takes this part of its partition, in so many records. */
interface Threshold {
  readonly ratioMin: number;
  readonly recordsMin: number;
  /** Keys that take the overflow topic, and so are never hot. */
  readonly aside: ReadonlySet<string>;
}

/**
 * `rastro hot-keys`: which keys take most of their partitions, from the newest records alone. The
 * exit code is 1 when one of them is hot: it delays the keys of its partition. A device in overflow
 * delays no other, however much it sends, and is marked so.
 */
export const hotKeysCommand = noun<HotKeysPorts>((command, does) => {
  example(command
    .description('The keys that take most bytes of each partition, from its newest records.')
    .option('--topic <topic>', 'topic to read', oneOf(SHOWN), TOPICS.locations.name)
    .option('--top <n>', 'how many keys to show', wholeFrom(1), 10)
    .option('--window <time>', 'only records of the last time, such as 30s, 5m or 2h (default 5m)',
      windowFrom, FIVE_MINUTES_MS)
    .option('--records <n>', 'at most so many records of each partition', wholeFrom(1), 2_000)
    .option('--ratio <ratio>', 'part of the bytes that makes a key hot', aboveZero, 0.5)
    .option('--min-records <n>', 'records that make a key hot', wholeFrom(1), 200)
    .action(does(hotKeys)),
  'rastro hot-keys --window 10m --top 3',
  'Exit codes: 0 none is hot, 1 a key has at least --ratio of its partition\'s bytes in at least '
  + '--min-records records, 2 wrong use.');
});

function aboveZero(text: string): number {
  const value = numberFrom(0, 1)(text);
  return value > 0 ? value : wrongValue('It must be above 0.');
}

async function hotKeys(
  ports: HotKeysPorts, { topic, top, window, records, ratio, minRecords }: HotKeysOptions,
): Promise<Report> {
  const loads = await readKeyLoads(
    ports, topic, { sinceMs: ports.clock.nowMs() - window, recordsMax: records },
  );
  const aside = await asideIn(ports, topic);
  return hotKeysReport(topic, loads, top, { ratioMin: ratio, recordsMin: minRecords, aside });
}

/** Devices in overflow; only their locations take the overflow topic. */
async function asideIn({ reader }: HotKeysPorts, topic: string): Promise<ReadonlySet<string>> {
  if (topic !== TOPICS.locations.name) return new Set();
  const decided = await readOverflow(reader, TOPICS.overflow.name);
  return new Set([...decided.devices].filter(([, { state }]) => state === 'in').map(([id]) => id));
}

function hotKeysReport(
  topic: string, loads: readonly KeyLoad[], top: number, { ratioMin, recordsMin, aside }: Threshold,
): Report {
  const marked = loads.map((load) => {
    const in_overflow = aside.has(load.key);
    return {
      ...load, in_overflow,
      hot: !in_overflow && load.ratio >= ratioMin && load.records >= recordsMin,
    };
  });
  // Hot ones first, so that no busy partition hides one of a quiet partition.
  const shown = [...marked.filter(({ hot }) => hot), ...marked.filter(({ hot }) => !hot)]
    .slice(0, Math.max(top, marked.filter(({ hot }) => hot).length));
  const hot = shown.filter((load) => load.hot);
  return {
    value: { topic, keys: shown },
    lines: shown.length === 0 ? [`Nothing came into ${topic} lately.`] : [
      ...tableOf(
        ['PARTITION', 'KEY', 'RECORDS', 'BYTES', 'RATIO', 'BYTES/S', 'ITEMS/S', ''],
        shown.map((each) => [
          each.partition, each.key, each.records, each.bytes, `${Math.round(each.ratio * 100)} %`,
          Math.round(each.bytes_per_second), Math.round(each.items_per_second),
          each.hot ? 'hot' : each.in_overflow ? 'in overflow' : '',
        ]),
      ),
      ...hot.map(({ key, partition }) => `${key} swamps partition ${partition} of ${topic}.`),
    ],
    exitCode: hot.length > 0 ? 1 : 0,
  };
}
