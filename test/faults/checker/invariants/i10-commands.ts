import {
  anyFault, deliveredCommands, isTerminal, issuedCommands, type Delivered,
} from '../commands.ts';
import type { Evidence, LogEntry, PartyRequest } from '../evidence.ts';
import {
  canonical, entryName, fieldOf, groupBy, isFields, recordsOf, textOf,
} from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** Clocks of two machines and the time of an append, in milliseconds. */
const CLOCK_MS = 2_000;

/**
 * I10 Commands: a provider sees the next command of a transport only when the one before is over;
 * every command ends; after a 400 or 403 there is no further attempt. Calls with one key, however
 * often they were repeated, are one command: under one id in every answer and in the log, and taken
 * by the provider once.
 */
export function commandsInOrder(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I10');
  for (const queue of deliveredCommands(evidence)) {
    for (const [at, command] of queue.entries()) {
      findings.examine();
      checkEnd(evidence, command, findings);
      checkRepeats(evidence, command, findings);
      const before = queue[at - 1];
      if (before !== undefined) checkOrder(before, command, findings);
    }
  }
  checkKeys(evidence, findings);
  checkAnswers(evidence, findings);
  return findings.verdict();
}

function checkKeys(evidence: Evidence, findings: Findings): void {
  const keyed = groupBy(issuedCommands(evidence), ({ value }) => keyOf(value));
  const taken = groupBy(
    evidence.requests.filter(({ body, status }) => (
      textOf(body, 'command') !== '' && status !== null && status < 300
    )),
    ({ body }) => canonical(body),
  );
  for (const [key, commands] of keyed) {
    if (key === '') continue;
    findings.examine();
    const [first] = commands;
    checkTaken(evidence, key, taken.get(canonical(fieldOf(first?.value, 'body'))) ?? [], findings);
    if (commands.length === 1) continue;
    findings.blame('command-doubled', `The log has ${commands.length} commands of the key ${key}: `
      + `${commands.map(entryName).join(', ')}.`);
  }
}

/**
 * What a provider took is sent again only where a fault may have kept its end from the log, or
 * where the log says that its answer came too late.
 */
function checkTaken(
  evidence: Evidence, key: string, taken: readonly PartyRequest[], findings: Findings,
): void {
  const others = evidence.faults.filter(({ target }) => !target.startsWith('gateway'));
  const late = lateAnswers(evidence, ({ value }) => keyOf(value) === key);
  for (const [nth, request] of taken.entries()) {
    const before = taken[nth - 1];
    if (before === undefined || anyFault(others, before.at - CLOCK_MS, request.at)) continue;
    if (late(before.at, request.at)) continue;
    findings.blame('command-doubled', `The provider took the command of the key ${key}, and got `
      + `it again ${Math.round(request.at - before.at)} ms later.`);
  }
}

/** Says whether, by the log, an answer to such commands came too late between two requests. */
function lateAnswers(
  evidence: Evidence, isOurs: (entry: LogEntry) => boolean,
): (before: number, after: number) => boolean {
  const ids = new Set(issuedCommands(evidence).filter(isOurs).map(idOf));
  const times = recordsOf(evidence, TOPIC.commandResults)
    .filter((entry) => ids.has(idOf(entry)) && textOf(entry.value, 'reason') === 'timeout')
    .map(({ value }) => Number(fieldOf(value, 'at_ms')) - evidence.run.epoch.at_ms);
  return (before, after) => times.some((at) => at > before - CLOCK_MS && at < after + CLOCK_MS);
}

function idOf({ value }: LogEntry): string {
  return textOf(value, 'command_id');
}

/** All answers to one command, by its mark, say the same id. */
function checkAnswers({ tries }: Evidence, findings: Findings): void {
  const answered = tries.filter(({ op, outcome, args }) => (
    op === 'command' && outcome === 'ok' && args.command_mark !== undefined
  ));
  for (const [mark, own] of groupBy(answered, ({ args }) => args.command_mark ?? '')) {
    const ids = new Set(own.map(({ body }) => textOf(body, 'command_id')));
    findings.examine();
    if (ids.size === 1) continue;
    findings.blame('command-doubled', `The command ${mark} was answered with ${ids.size} ids: `
      + `${[...ids].join(', ')}.`);
  }
}

function keyOf(value: LogEntry['value']): string {
  const identity = fieldOf(value, 'identity');
  return isFields(identity) ? textOf(identity, 'key_hash') : '';
}

function checkEnd(evidence: Evidence, command: Delivered, findings: Findings): void {
  const { end, requests } = command;
  if (end === undefined) {
    if (evidence.run.allows.includes('stands-still')) return;
    findings.blame('command-dropped', `${nameOf(command)} has no end in the log; the provider was `
      + `asked ${requests.length} times.`);
    return;
  }
  const isDone = textOf(end, 'outcome') === 'done';
  if (isDone && !requests.some(({ status }) => status !== null && status < 300)) {
    findings.blame('command-dropped',
      `${nameOf(command)} is done by the log, but the provider never took it.`);
  }
}

/** A crash may lose the answer, or it comes too late; then, and only then, a repeat is right. */
function checkRepeats(evidence: Evidence, command: Delivered, findings: Findings): void {
  const refused = command.requests.find(({ status }) => status === 400 || status === 403);
  if (refused === undefined) return;
  const recordedAt = recordedBy(evidence, command);
  const late = lateAnswers(evidence, (entry) => idOf(entry) === command.id);
  const repeat = command.requests.find(({ at }) => {
    if (at <= refused.at) return false;
    if (at > recordedAt + CLOCK_MS) return true;
    return !anyFault(evidence.faults, refused.at - CLOCK_MS, at) && !late(refused.at, at);
  });
  if (repeat === undefined) return;
  findings.blame('retried-after-4xx', `${nameOf(command)} was answered ${String(refused.status)} `
    + `and sent again ${Math.round(repeat.at - refused.at)} ms later.`);
}

/** An end bears the time at which it was known: a fault at that time may keep it from the log. */
function recordedBy({ faults }: Evidence, { endedAt }: Delivered): number {
  const amid = faults.filter(({ from, to }) => from <= endedAt && endedAt <= to);
  return Math.max(endedAt, ...amid.map(({ to }) => to));
}

function checkOrder(before: Delivered, command: Delivered, findings: Findings): void {
  const first = command.requests[0];
  if (first === undefined || isUnsent(before)) return;
  const isOver = before.requests.some((request) => isTerminal(request) && request.at <= first.at);
  if (isOver) return;
  findings.blame('command-reorder', `The provider saw ${nameOf(command)} before `
    + `${nameOf(before)} was over.`);
}

function isUnsent({ end }: Delivered): boolean {
  return ['cancelled', 'expired'].includes(textOf(end, 'outcome'));
}

function nameOf({ id, entry }: Delivered): string {
  return `command ${id} (${textOf(entry.value, 'command_key')}, ${entryName(entry)})`;
}
