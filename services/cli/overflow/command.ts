import { example, wrongValue } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { readOverflow, type OverflowRecorded } from '../../kernel/overflow.ts';
import { groupOf } from '../../workers/workers.ts';
import { isoOf } from '../inspect/facts.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { DONE, misuse, noun } from '../noun.ts';
import { tableOf } from '../watch/table.ts';

const APPEND_MS_MAX = 15_000;
const REASON_CHARACTERS_MAX = 255;

/** What the commands about the overflow topic take. */
export type OverflowPorts = Pick<OperatorPorts, 'log' | 'reader' | 'watch' | 'clock'>;

/**
 * `rastro overflow add | rm | ls`: which devices write through the overflow topic. A decision is
 * a fact in the log; the table writers follow it within seconds (ADR 0018).
 */
export const overflowCommand = noun<OverflowPorts>((command, does) => {
  command.description('Devices whose locations take the overflow topic into the tables.');
  example(command.command('add')
    .description('Sends a device through the overflow topic, so that it delays no other device.')
    .argument('<device-id>', 'id of the device')
    .option('--reason <text>', 'why, for people', reasonFrom)
    .action(does((ports, id: string, { reason }: { readonly reason?: string }) =>
      decide(ports, id, 'in', reason))),
  'rastro overflow add 01890f4e-0000-7000-8000-000000000000 --reason "sends 500 a second"', DONE);
  example(command.command('rm')
    .description('Takes a device back, once its records in the overflow topic are applied.')
    .argument('<device-id>', 'id of the device')
    .option('--reason <text>', 'why, for people', reasonFrom)
    .action(does((ports, id: string, { reason }: { readonly reason?: string }) =>
      decide(ports, id, 'out', reason))),
  'rastro overflow rm 01890f4e-0000-7000-8000-000000000000', DONE);
  example(command.command('ls')
    .description('The devices in overflow, and how many of their records wait.')
    .option('--all', 'also those that were', false)
    .action(does((ports, { all }: { readonly all: boolean }) => list(ports, all))),
  'rastro overflow ls', DONE);
});

function reasonFrom(text: string): string {
  return text.length <= REASON_CHARACTERS_MAX
    ? text : wrongValue(`It takes at most ${REASON_CHARACTERS_MAX} characters.`);
}

async function decide(
  ports: OverflowPorts, device_id: string, state: 'in' | 'out', reason: string | undefined,
): Promise<Report> {
  if (device_id === '') return misuse('Say which device, by its id.');
  const known = (await readOverflow(ports.reader, TOPICS.overflow.name)).get(device_id);
  if (state === 'out' && known === undefined) return misuse(`${device_id} is not in overflow.`);
  if (known?.state === state) return decisionReport(known, 'already');
  const fact: OverflowRecorded = {
    type: 'OverflowRecorded', device_id, state, ...(reason === undefined ? {} : { reason }),
    version: (known?.version ?? 0) + 1, at_ms: ports.clock.nowMs(),
  };
  await ports.log.append({
    topic: TOPICS.overflow.name, key: device_id, value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(fact.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
  return decisionReport(fact, 'from now on');
}

function decisionReport(fact: OverflowRecorded, since: string): Report {
  const way = fact.state === 'in' ? 'in overflow' : 'out of overflow';
  return { value: fact, lines: [`${fact.device_id} is ${way} ${since}.`], exitCode: 0 };
}

async function list(ports: OverflowPorts, all: boolean): Promise<Report> {
  const decided = [...(await readOverflow(ports.reader, TOPICS.overflow.name)).values()]
    .filter(({ state }) => all || state === 'in')
    .sort((a, b) => a.at_ms - b.at_ms || (a.device_id < b.device_id ? -1 : 1));
  const waiting = await waitingRecords(ports);
  const devices = decided.map(({ device_id, state, reason, at_ms }) => (
    { device_id, state, since: isoOf(at_ms), reason: reason ?? '' }
  ));
  return {
    value: { devices, waiting },
    lines: [
      ...(devices.length === 0 ? ['No device is in overflow.'] : tableOf(
        ['DEVICE', 'STATE', 'SINCE', 'REASON'],
        devices.map((each) => [each.device_id, each.state, each.since, each.reason]),
      )),
      `${waiting} records wait in the overflow topic.`,
    ],
    exitCode: 0,
  };
}

/** Records of the overflow topic that are not applied yet. */
async function waitingRecords({ watch }: OverflowPorts): Promise<number> {
  const offsets = await watch.offsets(groupOf('table-writer.overflow'));
  const ranges = await watch.ranges([TOPICS.overflowLocations.name]);
  return ranges.reduce((sum, { topic, partition, start, end }) => {
    const next = offsets.find((each) => each.topic === topic && each.partition === partition)?.next;
    return sum + Number(end - (next ?? start));
  }, 0);
}
