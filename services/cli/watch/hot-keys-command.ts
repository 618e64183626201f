import { parseArgs } from 'node:util';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readQuarantine } from '../../kernel/quarantine.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';
import { readKeyLoads, type KeyLoad } from './hot-keys.ts';
import { tableOf } from './table.ts';
import type { LogLook } from './tail.ts';
import { countOf, windowMs } from './window.ts';

const OPTIONS = {
  topic: { type: 'string', default: TOPICS.locations.name },
  top: { type: 'string', default: '10' },
  window: { type: 'string', default: '5m' },
  records: { type: 'string', default: '2000' },
  share: { type: 'string', default: '0.5' },
  'min-records': { type: 'string', default: '200' },
} as const;

/** What `rastro hot-keys` takes. */
export type HotKeysPorts = LogLook & { readonly clock: Clock; readonly reader: LogReader };

/** Topics whose keys are ids of ours or of the interface: others may name persons, or secrets. */
const SHOWN: readonly string[] = [
  TOPICS.locations, TOPICS.telemetryEvents, TOPICS.deferredEvents, TOPICS.deviceLifecycle,
  TOPICS.notifications, TOPICS.journey, TOPICS.authorizations, TOPICS.authorizationCalls,
  TOPICS.providerCommands, TOPICS.providerCommandResults,
].map(({ name }) => name);

/** Where a key begins to be hot: it takes this share of its partition, in so many records. */
interface Threshold {
  readonly shareMin: number;
  readonly recordsMin: number;
  /** Keys that are in quarantine, and so never hot. */
  readonly aside: ReadonlySet<string>;
}

/**
 * `rastro hot-keys`: which keys take most of their partitions, from the newest records alone. The
 * exit code is 1 when one of them is hot: it holds up the keys beside it. A device in quarantine
 * holds up no other, however much it sends, and is marked so.
 */
export async function hotKeysCommand(
  ports: HotKeysPorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  if (positionals.length > 0) return misuse(`Too many words: ${positionals.join(' ')}`);
  const { topic } = values;
  if (!SHOWN.includes(topic)) return misuse(`--topic takes one of ${SHOWN.join(', ')}.`);
  const [top, recordsMax, recordsMin] = [values.top, values.records, values['min-records']]
    .map(countOf);
  if (top === undefined || recordsMax === undefined || recordsMin === undefined) {
    return misuse('--top, --records and --min-records take a whole number of at least 1.');
  }
  const spanMs = windowMs(values.window);
  if (spanMs === undefined) return misuse('--window takes a time such as 30s, 5m or 2h.');
  const shareMin = Number(values.share);
  if (!(shareMin > 0 && shareMin <= 1)) return misuse('--share takes a number above 0 up to 1.');
  const loads = await readKeyLoads(
    ports, topic, { sinceMs: ports.clock.nowMs() - spanMs, recordsMax },
  );
  return tell(topic, loads, top, { shareMin, recordsMin, aside: await asideIn(ports, topic) });
}

/** Devices that are in quarantine; only their locations have a lane of their own. */
async function asideIn({ reader }: HotKeysPorts, topic: string): Promise<ReadonlySet<string>> {
  if (topic !== TOPICS.locations.name) return new Set();
  const decided = await readQuarantine(reader, TOPICS.quarantine.name);
  return new Set([...decided.values()].filter(({ state }) => state === 'in')
    .map(({ device_id }) => device_id));
}

function tell(
  topic: string, loads: readonly KeyLoad[], top: number, { shareMin, recordsMin, aside }: Threshold,
): Report {
  const judged = loads.map((load) => {
    const quarantined = aside.has(load.key);
    return {
      ...load, quarantined,
      hot: !quarantined && load.share >= shareMin && load.records >= recordsMin,
    };
  });
  // Hot ones first, so that no busy partition hides one of a quiet partition.
  const shown = [...judged.filter(({ hot }) => hot), ...judged.filter(({ hot }) => !hot)]
    .slice(0, Math.max(top, judged.filter(({ hot }) => hot).length));
  const hot = shown.filter((load) => load.hot);
  return {
    value: { topic, keys: shown },
    lines: shown.length === 0 ? [`Nothing came into ${topic} lately.`] : [
      ...tableOf(
        ['PARTITION', 'KEY', 'RECORDS', 'BYTES', 'SHARE', 'BYTES/S', 'ITEMS/S', ''],
        shown.map((each) => [
          each.partition, each.key, each.records, each.bytes, `${Math.round(each.share * 100)} %`,
          Math.round(each.bytes_per_second), Math.round(each.items_per_second),
          each.hot ? 'hot' : each.quarantined ? 'in quarantine' : '',
        ]),
      ),
      ...hot.map(({ key, partition }) => `${key} swamps partition ${partition} of ${topic}.`),
    ],
    exitCode: hot.length > 0 ? 1 : 0,
  };
}
