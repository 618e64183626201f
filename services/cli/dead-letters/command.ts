import { example, numberFrom, type Command } from '../../adapters/command-line/command-line.ts';
import { followUp, isParking } from './resume.ts';
import { newestReason, type Letter } from './dead-letter.ts';
import { newerCommands } from './newer-commands.ts';
import { PARKING, planRedrive, type RedrivePlan } from './plan-replay.ts';
import type { LetterPorts } from './ports.ts';
import { readLetters, type LetterLog } from './read-dead-letters.ts';
import { redrive, settle } from './replay.ts';
import { listLetters, listSignatures, showLetter, told } from './show.ts';
import type { Report } from '../ports.ts';
import { DONE, misuse, noun } from '../noun.ts';

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
  + '2 wrong use.';

/** Rounds in which what was parked meanwhile is put back too; then the command is run again. */
const ROUNDS_MAX = 5;

/**
 * `rastro dlq ls | show | redrive | give-up | release`: records that could not be applied, and what
 * is done about them. Everything is read from the log, and what is done is a fact there.
 */
export const dlqCommand = noun<LetterPorts>((command, does) => {
  command.description('Dead letters: records that could not be applied.');
  example(which(command.command('ls'), 'also those that are done')
    .description('What is open, by the signature of its error.')
    .option('--each', 'every record by itself', false)
    .action(does(async (ports, options: ListOptions) => list(await read(ports), options))),
  'rastro dlq ls --topic rtt.locations.v1', DONE);
  example(command.command('show')
    .description('One dead letter with its value, which may be personal data.')
    .argument('<id>', 'id of the dead letter')
    .action(does(async (ports, id: string) => show(ports, await read(ports), id))),
  'rastro dlq show rtt.locations.v1:3:4711', DONE);
  example(waiting(dryRun(which(command.command('redrive'), 'all that are open')
    .description('Puts records back into their topics, in order; twice is as good as once.')
    .argument('[id]', 'id of one dead letter')))
    .action(does((ports, id: string | undefined, options: ReplayOptions) =>
      withChosen(ports, id, options, (log, chosen) => putBack(ports, log, chosen, options)))),
  'rastro dlq redrive --topic rtt.locations.v1 --dry-run', REPLAYED);
  example(waiting(dryRun(command.command('release')
    .description('Gives up what a shipment waits for, and goes on behind it.')
    .argument('<key>', 'key of the records')))
    .action(does(async (ports, key: string, options: ReplayOptions) =>
      release(ports, await read(ports), key, options))),
  'rastro dlq release 1Z999AA10123456784 --dry-run', REPLAYED);
  example(dryRun(which(command.command('give-up'), 'all that are open')
    .description('Ends the wait for records that will never be applied.')
    .argument('[id]', 'id of one dead letter'))
    .action(does((ports, id: string | undefined, options: Options) =>
      withChosen(ports, id, options, (_log, chosen) => giveUp(ports, chosen, options)))),
  'rastro dlq give-up rtt.locations.v1:3:4711', DONE);
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

function read(ports: LetterPorts): Promise<LetterLog> {
  return readLetters(ports.reader, ports.digest);
}

async function withChosen(
  ports: LetterPorts, id: string | undefined, options: Options,
  use: (log: LetterLog, chosen: readonly Letter[]) => Promise<Report>,
): Promise<Report> {
  const log = await read(ports);
  const chosen = choose(log, id, options);
  return typeof chosen === 'string' ? misuse(chosen) : use(log, chosen);
}

function list(log: LetterLog, options: ListOptions): Report {
  const letters = [...log.letters.values()].filter((letter) => matches(letter, options)
    && (options.all || letter.state === 'open'));
  return options.each ? listLetters(letters) : listSignatures(letters);
}

async function show(ports: LetterPorts, log: LetterLog, id: string): Promise<Report> {
  const letter = log.letters.get(id);
  if (letter === undefined) return misuse(`No letter ${id}.`);
  return showLetter(ports, letter);
}

/** The letters that a command is about; a sentence when it does not say. */
function choose(
  log: LetterLog, id: string | undefined, options: Options,
): readonly Letter[] | string {
  if (id !== undefined) {
    const letter = log.letters.get(id);
    return letter === undefined ? `No letter ${id}.` : [letter];
  }
  const isBound = options.signature !== undefined || options.topic !== undefined || options.all;
  if (!isBound) return 'Say which: an id, --signature, --topic or --all.';
  return [...log.letters.values()]
    .filter((letter) => letter.state === 'open' && matches(letter, options));
}

function matches(
  letter: Letter, { signature, topic }: Pick<Options, 'signature' | 'topic'>,
): boolean {
  return (topic === undefined || letter.topic === topic)
    && (signature === undefined
      || letter.reasons.some((reason) => reason.signature.startsWith(signature)));
}

async function giveUp(
  ports: LetterPorts, chosen: readonly Letter[], options: Options,
): Promise<Report> {
  const open = chosen.filter(({ state }) => state === 'open');
  if (!options.dryRun) for (const letter of open) await settle(ports, letter, 'DeadLetterDiscarded');
  return {
    value: { given_up: open.map(({ id }) => id), dry_run: options.dryRun },
    lines: [...open.map((letter) => told(letter)), `${open.length} given up`],
    exitCode: 0,
  };
}

/** Gives up what holds a key up and puts the records behind it back, in their order. */
async function release(
  ports: LetterPorts, log: LetterLog, key: string, options: ReplayOptions,
): Promise<Report> {
  const parked = [...log.letters.values()].filter((letter) => letter.state === 'open'
    && letter.key === key && isParking(letter));
  const behind = parked.filter((letter) => newestReason(letter).code === 'key_parked');
  const blocking = parked.filter((letter) => newestReason(letter).code !== 'key_parked');
  if (parked.length === 0) {
    const lines = [`The key ${key} of ${PARKING.topic} is not parked.`];
    return { value: { given_up: [], redriven: [] }, lines, exitCode: 1 };
  }
  const isDry = options.dryRun;
  if (!isDry) for (const letter of blocking) await settle(ports, letter, 'DeadLetterDiscarded');
  const plan: RedrivePlan = { ...planRedrive(behind, behind, () => false) };
  const report = await run(ports, log, plan, options);
  return {
    value: { given_up: blocking.map(({ id }) => id), ...report.value as object },
    lines: [...blocking.map((letter) => `given up  ${told(letter)}`), ...report.lines],
    exitCode: report.exitCode,
  };
}

async function putBack(
  ports: LetterPorts, log: LetterLog, chosen: readonly Letter[], options: ReplayOptions,
): Promise<Report> {
  const all = [...log.letters.values()];
  const isNewer = await newerCommands(ports.reader, chosen);
  return run(ports, log, planRedrive(all, chosen, isNewer), options);
}

async function run(
  ports: LetterPorts, before: LetterLog, planned: RedrivePlan,
  { dryRun: isDry, wait }: ReplayOptions,
): Promise<Report> {
  const redriven: Letter[] = [];
  const notes = planned.refused.map(({ letter, why }) => `refused   ${told(letter)}: ${why}`);
  const { refused } = planned;
  let failed: readonly Letter[] = [];
  let silent = 0;
  let fault: string | undefined;
  let log = before;
  let plan = planned;
  for (let round = 0; round < ROUNDS_MAX && plan.go.length > 0 && !isDry; round += 1) {
    const end = await redrive(ports, plan);
    redriven.push(...end.redriven);
    fault = end.fault;
    if (fault !== undefined) break;
    const after = await followUp(ports, log, end.redriven, wait * 1_000);
    failed = after.failed;
    silent = after.silent;
    if (failed.length > 0 || silent > 0 || after.parkedSince.length === 0) break;
    log = after.log;
    plan = planRedrive(after.parkedSince, after.parkedSince, () => false);
  }
  const shown = isDry ? planned.go : redriven;
  notes.push(...failed.map((letter) => `failed    ${told(letter)}: ${newestReason(letter).detail}`));
  if (silent > 0) notes.push(`${silent} of a parked key were not taken up in time; look again`);
  if (fault !== undefined) notes.push(`stopped: ${fault}; run the command again`);
  return {
    value: {
      dry_run: isDry,
      redriven: shown.map(({ id }) => id),
      refused: refused.map(({ letter, why }) => ({ id: letter.id, why })),
      failed: failed.map(({ id }) => id),
      not_taken_up: silent,
      ...(fault === undefined ? {} : { fault }),
    },
    lines: [
      ...shown.map((letter) => `${isDry ? 'would go' : 'put back'}  ${told(letter)}`), ...notes,
      `${shown.length} ${isDry ? 'would be put back' : 'put back'}, ${refused.length} refused, `
        + `${failed.length} failed again`,
    ],
    exitCode: refused.length + failed.length + silent > 0 || fault !== undefined ? 1 : 0,
  };
}
