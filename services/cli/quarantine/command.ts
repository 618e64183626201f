import { parseArgs } from 'node:util';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { readQuarantine, type QuarantineRecorded } from '../../kernel/quarantine.ts';
import { groupOf } from '../../workers/workers.ts';
import { isoOf } from '../inspect/facts.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { misuse } from '../usage.ts';
import { tableOf } from '../watch/table.ts';

const OPTIONS = {
  reason: { type: 'string' },
  all: { type: 'boolean', default: false },
} as const;

const APPEND_MS_MAX = 15_000;
const REASON_CHARACTERS_MAX = 255;

/** What the commands about quarantine take. */
export type QuarantinePorts = Pick<OperatorPorts, 'log' | 'reader' | 'watch' | 'clock'>;

/**
 * `rastro quarantine add | rm | ls`: which devices have a lane of their own into the tables. A
 * decision is a fact in the log; the table writers follow it within seconds (ADR 0018).
 */
export async function quarantineCommand(
  ports: QuarantinePorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [verb, deviceId, ...more] = positionals;
  if (more.length > 0) return misuse(`Too many words: ${more.join(' ')}`);
  if (verb === 'ls' && deviceId === undefined) return list(ports, values.all);
  if (verb !== 'add' && verb !== 'rm') return misuse(`Unknown: quarantine ${verb ?? ''}`);
  if (deviceId === undefined || deviceId === '') return misuse('Say which device, by its id.');
  if ((values.reason?.length ?? 0) > REASON_CHARACTERS_MAX) {
    return misuse(`--reason takes at most ${REASON_CHARACTERS_MAX} characters.`);
  }
  return decide(ports, deviceId, verb === 'add' ? 'in' : 'out', values.reason);
}

async function decide(
  ports: QuarantinePorts, device_id: string, state: 'in' | 'out', reason: string | undefined,
): Promise<Report> {
  const known = (await readQuarantine(ports.reader, TOPICS.quarantine.name)).get(device_id);
  if (state === 'out' && known === undefined) return misuse(`${device_id} is not in quarantine.`);
  if (known?.state === state) return told(known, 'already');
  const fact: QuarantineRecorded = {
    type: 'QuarantineRecorded', device_id, state, ...(reason === undefined ? {} : { reason }),
    version: (known?.version ?? 0) + 1, at_ms: ports.clock.nowMs(),
  };
  await ports.log.append({
    topic: TOPICS.quarantine.name, key: device_id, value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(fact.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
  return told(fact, 'from now on');
}

function told(fact: QuarantineRecorded, since: string): Report {
  const way = fact.state === 'in' ? 'in quarantine' : 'out of quarantine';
  return { value: fact, lines: [`${fact.device_id} is ${way} ${since}.`], exitCode: 0 };
}

async function list(ports: QuarantinePorts, all: boolean): Promise<Report> {
  const decided = [...(await readQuarantine(ports.reader, TOPICS.quarantine.name)).values()]
    .filter(({ state }) => all || state === 'in')
    .sort((a, b) => a.at_ms - b.at_ms || (a.device_id < b.device_id ? -1 : 1));
  const waiting = await waitingRecords(ports);
  const devices = decided.map(({ device_id, state, reason, at_ms }) => (
    { device_id, state, since: isoOf(at_ms), reason: reason ?? '' }
  ));
  return {
    value: { devices, waiting },
    lines: [
      ...(devices.length === 0 ? ['No device is in quarantine.'] : tableOf(
        ['DEVICE', 'STATE', 'SINCE', 'REASON'],
        devices.map((each) => [each.device_id, each.state, each.since, each.reason]),
      )),
      `The lane has ${waiting} records before it.`,
    ],
    exitCode: 0,
  };
}

/** Records of the lane that nobody has applied yet. */
async function waitingRecords({ watch }: QuarantinePorts): Promise<number> {
  const places = await watch.places(groupOf('table-writer.overflow'));
  const ranges = await watch.ranges([TOPICS.quarantinedLocations.name]);
  return ranges.reduce((sum, { topic, partition, start, end }) => {
    const next = places.find((each) => each.topic === topic && each.partition === partition)?.next;
    return sum + Number(end - (next ?? start));
  }, 0);
}
