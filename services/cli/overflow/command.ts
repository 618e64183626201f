import { example, wrongValue } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { OverflowRecorded } from '../../kernel/overflow.ts';
import { readOverflow } from '../../kernel/read-overflow.ts';
import { appendOverflow } from '../../operator/overflow/append-overflow.ts';
import { planOverflow, type OverflowWish } from '../../operator/overflow/plan-overflow.ts';
import { at, type Cell } from '../print/lines.ts';
import { readClients } from '../client/log.ts';
import { deviceInLog } from '../inspect/device.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { providerName } from '../provider-name.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import { readerOfKey } from '../watch/tail.ts';
import { windowFrom } from '../watch/window.ts';
import { listOverflow } from './list.ts';

const APPEND_MS_MAX = 15_000;
const REASON_CHARACTERS_MAX = 255;

/** What the commands about the overflow topic take. */
export type OverflowPorts = Pick<
  OperatorPorts, 'log' | 'reader' | 'rangeReader' | 'watch' | 'clock'
>;

interface DecideOptions {
  readonly provider?: string;
  readonly for?: number;
  readonly reason?: string;
}

type State = OverflowRecorded['state'];

/**
 * `rastro overflow add | rm | ls`: which devices and providers write through the overflow topic. A
 * decision is a fact in the log; the table writers follow it within seconds (ADR 0018, ADR 0062).
 */
export const overflowCommand = noun<OverflowPorts>((command, does) => {
  command.description('Devices and providers whose locations take the overflow topic into the'
    + ' tables.');
  const decision = (name: string, description: string, state: State) => command.command(name)
    .description(description)
    .argument('[device-id]', 'id of the device')
    .option('--provider <name>', 'a provider with all its devices instead', providerName)
    .option('--for <time>', 'how long it holds for the provider, such as 30m or 2h; then table'
      + ' writers decide again (without it: until the next decision)', windowFrom)
    .option('--reason <text>', 'why, for people', reasonFrom)
    .action(does((ports, id: string | undefined, options: DecideOptions) => (
      options.provider === undefined
        ? decideDevice(ports, id, state, options)
        : decideProvider(ports, options.provider, id, state, options))));
  example(decision('add', 'Sends a device or a provider through the overflow topic, so that it'
    + ' delays no other.', 'in'),
  'rastro overflow add 01890f4e-0000-7000-8000-000000000000 --reason "sends 500 a second"',
  DONE_OR_NONE);
  example(decision('rm', 'Takes one back, once its records in the overflow topic are applied.'
    + ' While that holds for a provider, table writers do not move it.', 'out'),
  'rastro overflow rm --provider acme --for 2h', DONE_OR_NONE);
  example(command.command('ls')
    .description('The devices and providers in overflow, and how many of their records wait.')
    .option('--all', 'also those that were', false)
    .action(does((ports, { all }: { readonly all: boolean }) => listOverflow(ports, all))),
  'rastro overflow ls', DONE);
});

function reasonFrom(text: string): string {
  return text.length <= REASON_CHARACTERS_MAX
    ? text : wrongValue(`It takes at most ${REASON_CHARACTERS_MAX} characters.`);
}

async function decideDevice(
  ports: OverflowPorts, id: string | undefined, state: State,
  { for: spanMs, reason }: DecideOptions,
): Promise<Report> {
  if (id === undefined || id === '') return misuse('Say which device, by its id.');
  if (spanMs !== undefined) return misuse('--for is for providers only.');
  return decide(ports, id, { deviceId: id, state, reason });
}

async function decideProvider(
  ports: OverflowPorts, provider: string, id: string | undefined, state: State,
  { for: spanMs, reason }: DecideOptions,
): Promise<Report> {
  if (id !== undefined) return misuse('Say a device or a provider, not both.');
  return decide(ports, provider, { provider, state, spanMs, reason });
}

async function decide(ports: OverflowPorts, name: string, wish: OverflowWish): Promise<Report> {
  const { log, reader, clock } = ports;
  const decided = await readOverflow(reader, TOPICS.overflow.name);
  const plan = await planOverflow(decided, wish, clock.nowMs(), {
    isDevice: (id) => isDevice(ports, id), isProvider: (provider) => isProvider(ports, provider),
  });
  switch (plan.kind) {
    case 'not-in': return notFound(`${name} is not in overflow.`);
    case 'no-device': return notFound(`The log knows no device ${name}.`);
    case 'no-provider': return notFound(`No client has the provider ${name}.`);
    case 'already': return decisionReport(name, plan.fact, ['already']);
    case 'new': {
      const { fact } = plan;
      await appendOverflow(log, fact, clock.nowMs() + APPEND_MS_MAX);
      return decisionReport(name, fact, fact.ends_at_ms === undefined
        ? ['from now on'] : ['until ', at(fact.ends_at_ms)]);
    }
  }
}

async function isDevice(ports: OverflowPorts, id: string): Promise<boolean> {
  return (await deviceInLog(readerOfKey(ports, id), id)).seen !== undefined;
}

async function isProvider({ reader }: OverflowPorts, provider: string): Promise<boolean> {
  return [...(await readClients(reader)).values()]
    .some(({ providers }) => providers.includes(provider));
}

function decisionReport(name: string, fact: OverflowRecorded, since: readonly Cell[]): Report {
  const way = fact.state === 'in' ? 'in overflow' : 'out of overflow';
  return { value: fact, lines: [{ parts: [`${name} is ${way} `, ...since, '.'] }], exitCode: 0 };
}
