import { parseArgs } from 'node:util';
import { followUp, isParking } from './resume.ts';
import { newestReason, type Letter } from './dead-letter.ts';
import { newerCommands } from './newer-commands.ts';
import { PARKING, planRedrive, type RedrivePlan } from './plan-replay.ts';
import type { LetterPorts } from './ports.ts';
import { readLetters, type LetterLog } from './read-dead-letters.ts';
import { redrive, settle } from './replay.ts';
import { listLetters, listSignatures, showLetter, told } from './show.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';

const OPTIONS = {
  signature: { type: 'string' },
  topic: { type: 'string' },
  all: { type: 'boolean', default: false },
  each: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  wait: { type: 'string', default: '10' },
} as const;

interface Options {
  readonly signature?: string | undefined;
  readonly topic?: string | undefined;
  readonly all: boolean;
  readonly each: boolean;
  readonly 'dry-run': boolean;
  readonly wait: string;
}

/** Rounds in which what was parked meanwhile is put back too; then the command is run again. */
const ROUNDS_MAX = 5;

/**
 * `rastro dlq ls | show | redrive | give-up | release`: records that could not be applied, and what
 * is done about them. Everything is read from the log, and what is done is a fact there.
 */
export async function dlqCommand(ports: LetterPorts, args: readonly string[]): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [verb = '', name, ...more] = positionals;
  if (more.length > 0) return misuse(`Too many words: ${more.join(' ')}`);
  const waitMs = Number(values.wait) * 1_000;
  if (!(waitMs >= 0 && waitMs <= 600_000)) return misuse('--wait takes seconds, 0 to 600.');
  if (!['ls', 'show', 'redrive', 'give-up', 'release'].includes(verb)) {
    return misuse(verb === '' ? 'Say what to do: dlq ls.' : `Unknown: dlq ${verb}`);
  }
  const log = await readLetters(ports.reader, ports.digest);
  switch (verb) {
    case 'ls': return list(log, values);
    case 'show': return show(ports, log, name);
    case 'release': return release(ports, log, name, values, waitMs);
    default: {
      const chosen = choose(log, name, values);
      if (typeof chosen === 'string') return misuse(chosen);
      return verb === 'give-up'
        ? giveUp(ports, chosen, values) : putBack(ports, log, chosen, values, waitMs);
    }
  }
}

function list(log: LetterLog, options: Options): Report {
  const letters = [...log.letters.values()].filter((letter) => matches(letter, options)
    && (options.all || letter.state === 'open'));
  return options.each ? listLetters(letters) : listSignatures(letters);
}

async function show(
  ports: LetterPorts, log: LetterLog, id: string | undefined,
): Promise<Report> {
  const letter = log.letters.get(id ?? '');
  if (letter === undefined) return misuse(`No letter ${id ?? '(give its id)'}.`);
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

function matches(letter: Letter, { signature, topic }: Options): boolean {
  return (topic === undefined || letter.topic === topic)
    && (signature === undefined
      || letter.reasons.some((reason) => reason.signature.startsWith(signature)));
}

async function giveUp(
  ports: LetterPorts, chosen: readonly Letter[], options: Options,
): Promise<Report> {
  const open = chosen.filter(({ state }) => state === 'open');
  if (!options['dry-run']) for (const letter of open) await settle(ports, letter, 'LetterGivenUp');
  return {
    value: { given_up: open.map(({ id }) => id), dry_run: options['dry-run'] },
    lines: [...open.map((letter) => told(letter)), `${open.length} given up`],
    exitCode: 0,
  };
}

/** Gives up what holds a key up and puts the records behind it back, in their order. */
async function release(
  ports: LetterPorts, log: LetterLog, key: string | undefined, options: Options, waitMs: number,
): Promise<Report> {
  if (key === undefined) return misuse('Say which key.');
  const parked = [...log.letters.values()].filter((letter) => letter.state === 'open'
    && letter.key === key && isParking(letter));
  const behind = parked.filter((letter) => newestReason(letter).code === 'key_parked');
  const blocking = parked.filter((letter) => newestReason(letter).code !== 'key_parked');
  if (parked.length === 0) {
    const lines = [`The key ${key} of ${PARKING.topic} is not parked.`];
    return { value: { given_up: [], redriven: [] }, lines, exitCode: 1 };
  }
  const isDry = options['dry-run'];
  if (!isDry) for (const letter of blocking) await settle(ports, letter, 'LetterGivenUp');
  const plan: RedrivePlan = { ...planRedrive(behind, behind, () => false) };
  const report = await run(ports, log, plan, isDry, waitMs);
  return {
    value: { given_up: blocking.map(({ id }) => id), ...report.value as object },
    lines: [...blocking.map((letter) => `given up  ${told(letter)}`), ...report.lines],
    exitCode: report.exitCode,
  };
}

async function putBack(
  ports: LetterPorts, log: LetterLog, chosen: readonly Letter[], options: Options, waitMs: number,
): Promise<Report> {
  const all = [...log.letters.values()];
  const isNewer = await newerCommands(ports.reader, chosen);
  return run(ports, log, planRedrive(all, chosen, isNewer), options['dry-run'], waitMs);
}

async function run(
  ports: LetterPorts, before: LetterLog, planned: RedrivePlan, isDry: boolean, waitMs: number,
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
    const after = await followUp(ports, log, end.redriven, waitMs);
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
