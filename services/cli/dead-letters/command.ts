import { example, numberFrom, type Command } from '../../adapters/command-line/command-line.ts';
import { waitForResumed, isParking } from './resume.ts';
import {
  newestReason, type DeadLetterLog, type DeadLetterSummary,
} from '../../operator/dead-letters/dead-letter.ts';
import { newerCommands } from '../../operator/dead-letters/newer-commands.ts';
import { PARKING, planReplay, type ReplayPlan } from '../../operator/dead-letters/plan-replay.ts';
import type { DeadLetterPorts } from './ports.ts';
import { readDeadLetters } from './read-dead-letters.ts';
import { replay, appendRepair } from '../../operator/dead-letters/replay.ts';
import { listDeadLetters, listSignatures, showDeadLetter, deadLetterLine } from './show.ts';
import type { Report } from '../ports.ts';
import { DONE_OR_NONE, DONE, misuse, notFound, noun } from '../noun.ts';

interface Options {
  readonly signature?: string | undefined;
  readonly topic?: string | undefined;
  readonly all: boolean;
  readonly dryRun: boolean;
}

interface ListOptions extends Omit<Options, 'dryRun'> {
  readonly each: boolean;
}

interface ReplayOptions extends Options {
  readonly wait: number;
}

const WAIT_SECONDS = 10;
const WAIT_SECONDS_MAX = 600;
const REPLAYED = 'Exit codes: 0 done, 1 something was refused, failed again or was not taken up, '
  + '2 wrong use, 3 not found.';

/** Rounds in which what was parked meanwhile is put back too; then the command is run again. */
const ROUNDS_MAX = 5;

/**
 * `rastro dlq ls | show | replay | discard | release`: records that could not be applied, and their
 * repair. What is open is found from a checkpoint and read from the log, which gets every repair.
 */
export const dlqCommand = noun<DeadLetterPorts>((command, does) => {
  command.description('Dead letters: records that could not be applied.');
  example(which(command.command('ls'), 'also those that are done')
    .description('What is open, by the signature of its error.')
    .option('--each', 'one line for each record', false)
    .action(does(async (ports, options: ListOptions) => (
      list(await (options.all ? readWhole(ports) : ports.open.read()), options)))),
  'rastro dlq ls --topic rtt.locations.v1', DONE);
  example(command.command('show')
    .description('One dead letter with its value, which may be personal data.')
    .argument('<id>', 'id of the dead letter')
    .action(does(async (ports, id: string) => show(ports, await readWith(ports, id), id))),
  'rastro dlq show rtt.locations.v1:3:4711', DONE_OR_NONE);
  example(waiting(dryRun(which(command.command('replay'), 'all that are open')
    .description('Puts records back into their topics, in order; twice is as good as once.')
    .argument('[id]', 'id of one dead letter')))
    .action(does((ports, id: string | undefined, options: ReplayOptions) =>
      withChosen(ports, id, options, (log, chosen) => putBack(ports, log, chosen, options)))),
  'rastro dlq replay --topic rtt.locations.v1 --dry-run', REPLAYED);
  example(waiting(dryRun(command.command('release')
    .description('Discards what blocks a key, and replays the records that wait behind it.')
    .argument('<key>', 'key of the records')))
    .action(does(async (ports, key: string, options: ReplayOptions) =>
      release(ports, await ports.open.read(), key, options))),
  'rastro dlq release 1Z999AA10123456784 --dry-run', REPLAYED);
  example(dryRun(which(command.command('discard'), 'all that are open')
    .description('Closes dead letters without a replay.')
    .argument('[id]', 'id of one dead letter'))
    .action(does((ports, id: string | undefined, options: Options) =>
      withChosen(ports, id, options, (_log, chosen) => discard(ports, chosen, options)))),
  'rastro dlq discard rtt.locations.v1:3:4711', DONE_OR_NONE);
});

function which(command: Command, all: string): Command {
  return command
    .option('--signature <start>', 'only those whose error begins so')
    .option('--topic <topic>', 'only those of this topic')
    .option('--all', all, false);
}

function dryRun(command: Command): Command {
  return command.option('--dry-run', 'only says what it would do', false);
}

function waiting(command: Command): Command {
  return command.option('--wait <seconds>', 'how long to wait until records are applied',
    numberFrom(0, WAIT_SECONDS_MAX), WAIT_SECONDS);
}

function readWhole(ports: DeadLetterPorts): Promise<DeadLetterLog> {
  return readDeadLetters(ports.reader, ports.digest);
}

/** Those that are open; all when the named one is not among them. */
async function readWith(ports: DeadLetterPorts, id?: string): Promise<DeadLetterLog> {
  const open = await ports.open.read();
  return id === undefined || open.deadLetters.has(id) ? open : readWhole(ports);
}

async function withChosen(
  ports: DeadLetterPorts, id: string | undefined, options: Options,
  use: (log: DeadLetterLog, chosen: readonly DeadLetterSummary[]) => Promise<Report>,
): Promise<Report> {
  const log = await readWith(ports, id);
  const chosen = choose(log, id, options);
  return 'exitCode' in chosen ? chosen : use(log, chosen);
}

function list(log: DeadLetterLog, options: ListOptions): Report {
  const deadLetters = [...log.deadLetters.values()].filter((deadLetter) => (
    matches(deadLetter, options) && (options.all || deadLetter.state === 'open')
  ));
  return options.each ? listDeadLetters(deadLetters) : listSignatures(deadLetters);
}

async function show(ports: DeadLetterPorts, log: DeadLetterLog, id: string): Promise<Report> {
  const deadLetter = log.deadLetters.get(id);
  if (deadLetter === undefined) return notFound(`No dead letter ${id}.`);
  return showDeadLetter(ports, deadLetter);
}

/** The dead letters that a command names; a report when it names none. */
function choose(
  log: DeadLetterLog, id: string | undefined, options: Options,
): readonly DeadLetterSummary[] | Report {
  if (id !== undefined) {
    const deadLetter = log.deadLetters.get(id);
    return deadLetter === undefined ? notFound(`No dead letter ${id}.`) : [deadLetter];
  }
  const isBound = options.signature !== undefined || options.topic !== undefined || options.all;
  if (!isBound) return misuse('Say which: an id, --signature, --topic or --all.');
  return [...log.deadLetters.values()]
    .filter((deadLetter) => deadLetter.state === 'open' && matches(deadLetter, options));
}

function matches(
  deadLetter: DeadLetterSummary, { signature, topic }: Pick<Options, 'signature' | 'topic'>,
): boolean {
  return (topic === undefined || deadLetter.topic === topic)
    && (signature === undefined
      || deadLetter.reasons.some((reason) => reason.signature.startsWith(signature)));
}

async function discard(
  ports: DeadLetterPorts, chosen: readonly DeadLetterSummary[], options: Options,
): Promise<Report> {
  const open = chosen.filter(({ state }) => state === 'open');
  if (!options.dryRun) for (const deadLetter of open) await appendRepair(ports, deadLetter, 'DeadLetterDiscarded');
  return {
    value: { discarded: open.map(({ id }) => id), dry_run: options.dryRun },
    lines: [...open.map((deadLetter) => deadLetterLine(deadLetter)), `${open.length} discarded`],
    exitCode: 0,
  };
}

/** Discards what blocks a key and replays the records behind it, in their order. */
async function release(
  ports: DeadLetterPorts, log: DeadLetterLog, key: string, options: ReplayOptions,
): Promise<Report> {
  const parked = [...log.deadLetters.values()].filter((deadLetter) => deadLetter.state === 'open'
    && deadLetter.key === key && isParking(deadLetter));
  const behind = parked.filter((deadLetter) => newestReason(deadLetter).code === 'key_parked');
  const blocking = parked.filter((deadLetter) => newestReason(deadLetter).code !== 'key_parked');
  if (parked.length === 0) {
    return notFound(`The key ${key} of ${PARKING.topic} is not parked.`);
  }
  const isDry = options.dryRun;
  if (!isDry) for (const deadLetter of blocking) await appendRepair(ports, deadLetter, 'DeadLetterDiscarded');
  const plan: ReplayPlan = { ...planReplay(behind, behind, () => false) };
  const report = await run(ports, log, plan, options);
  return {
    value: { discarded: blocking.map(({ id }) => id), ...report.value as object },
    lines: [...blocking.map((deadLetter) => `discarded ${deadLetterLine(deadLetter)}`), ...report.lines],
    exitCode: report.exitCode,
  };
}

async function putBack(
  ports: DeadLetterPorts, log: DeadLetterLog, chosen: readonly DeadLetterSummary[],
  options: ReplayOptions,
): Promise<Report> {
  const all = [...log.deadLetters.values()];
  const isNewer = await newerCommands(ports, chosen);
  return run(ports, log, planReplay(all, chosen, isNewer), options);
}

async function run(
  ports: DeadLetterPorts, before: DeadLetterLog, planned: ReplayPlan,
  { dryRun: isDry, wait }: ReplayOptions,
): Promise<Report> {
  const replayed: DeadLetterSummary[] = [];
  const remarks = planned.refused.map(({ deadLetter, why }) => `refused   ${deadLetterLine(deadLetter)}: ${why}`);
  const { refused } = planned;
  let failed: readonly DeadLetterSummary[] = [];
  let silent = 0;
  let fault: string | undefined;
  let log = before;
  let plan = planned;
  for (let round = 0; round < ROUNDS_MAX && plan.go.length > 0 && !isDry; round += 1) {
    const end = await replay(ports, plan);
    replayed.push(...end.replayed);
    fault = end.fault?.message;
    if (fault !== undefined) break;
    const after = await waitForResumed(ports, log, end.replayed, wait * 1_000);
    failed = after.failed;
    silent = after.silent;
    if (failed.length > 0 || silent > 0 || after.parkedSince.length === 0) break;
    log = after.log;
    plan = planReplay(after.parkedSince, after.parkedSince, () => false);
  }
  const shown = isDry ? planned.go : replayed;
  remarks.push(...failed.map((deadLetter) => `failed    ${deadLetterLine(deadLetter)}: ${newestReason(deadLetter).detail}`));
  if (silent > 0) remarks.push(`${silent} of a parked key were not processed in time; run rastro dlq ls later`);
  if (fault !== undefined) remarks.push(`stopped: ${fault}; run the command again`);
  return {
    value: {
      dry_run: isDry,
      replayed: shown.map(({ id }) => id),
      refused: refused.map(({ deadLetter, why }) => ({ id: deadLetter.id, why })),
      failed: failed.map(({ id }) => id),
      not_taken_up: silent,
      ...(fault === undefined ? {} : { fault }),
    },
    lines: [
      ...shown.map((deadLetter) => `${isDry ? 'would go' : 'put back'}  ${deadLetterLine(deadLetter)}`), ...remarks,
      `${shown.length} ${isDry ? 'would be put back' : 'put back'}, ${refused.length} refused, `
        + `${failed.length} failed again`,
    ],
    exitCode: refused.length + failed.length + silent > 0 || fault !== undefined ? 1 : 0,
  };
}
