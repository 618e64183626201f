import type { Evidence, FaultSpan, LooseFields, LogEntry, PartyRequest } from './evidence.ts';
import { canonical, fieldOf, groupBy, recordsOf, textOf } from './read-evidence.ts';
import { TOPIC } from './topics.ts';

/** A command with the requests that brought it to its provider and its end in the log. */
export interface Delivered {
  readonly id: string;
  readonly entry: LogEntry;
  readonly requests: readonly PartyRequest[];
  /** The record that ended it; undefined while it waits. */
  readonly end: LooseFields | undefined;
  /** When the end was recorded, in milliseconds since the begin of the run. */
  readonly endedAt: number;
}

const ENDS = new Set(['done', 'refused', 'ended', 'cancelled', 'expired']);

/** Commands by transport or route, in the order of the log, with the requests for each. */
export function deliveredCommands(evidence: Evidence): readonly (readonly Delivered[])[] {
  const issued = issuedCommands(evidence);
  const ends = endsOf(evidence);
  const requests = groupBy(
    evidence.requests.filter(({ body }) => textOf(body, 'command') !== ''),
    ({ body }) => canonical(body),
  );
  const queues: (readonly Delivered[])[] = [];
  for (const queue of groupBy(issued, queueOf).values()) {
    const requestsOf = assignRequests(queue, requests, ends);
    queues.push(queue.map((entry) => {
      const id = textOf(entry.value, 'command_id');
      const end = ends.get(id);
      return {
        id, entry, end, requests: requestsOf.get(id) ?? [], endedAt: runMs(evidence, end),
      };
    }));
  }
  return queues;
}

/** Commands in the order of the log, each once: a later record of one id says nothing new. */
export function issuedCommands(evidence: Evidence): readonly LogEntry[] {
  const seen = new Set<string>();
  return recordsOf(evidence, TOPIC.commands).filter(({ value }) => {
    const id = textOf(value, 'command_id');
    const isFirst = value !== undefined && !seen.has(id);
    seen.add(id);
    return isFirst;
  });
}

function queueOf({ key, value }: LogEntry): string {
  return `${textOf(value, 'provider')} ${key}`;
}

function endsOf(evidence: Evidence): ReadonlyMap<string, LooseFields> {
  const ends = new Map<string, LooseFields>();
  for (const { value } of recordsOf(evidence, TOPIC.commandResults)) {
    if (value === undefined || !ENDS.has(textOf(value, 'outcome'))) continue;
    const id = textOf(value, 'command_id');
    if (!ends.has(id)) ends.set(id, value);
  }
  return ends;
}

function runMs(evidence: Evidence, end: LooseFields | undefined): number {
  const at = fieldOf(end, 'at_ms');
  return typeof at === 'number' ? at - evidence.run.epoch.at_ms : Infinity;
}

/**
 * Which request belongs to which command. A caller that got no answer repeats its call, and then
 * two commands of a lane have the same body: a request is for the first of them that has no answer
 * yet which ends it, else for the last. One that a stop has cancelled was sent as often as its end
 * says, and no more. Times are no help here: a clock may be the fault.
 */
function assignRequests(
  queue: readonly LogEntry[], requests: ReadonlyMap<string, readonly PartyRequest[]>,
  ends: ReadonlyMap<string, LooseFields>,
): ReadonlyMap<string, readonly PartyRequest[]> {
  const requestsOf = new Map<string, PartyRequest[]>();
  const isOpen = (id: string): boolean => {
    const own = requestsOf.get(id) ?? [];
    const end = ends.get(id);
    const isSpent = textOf(end, 'outcome') === 'cancelled'
      && own.length >= Number(fieldOf(end, 'attempt') ?? Infinity);
    return !isSpent && !own.some(isTerminal);
  };
  for (const [body, twins] of groupBy(queue, ({ value }) => canonical(fieldOf(value, 'body')))) {
    const ids = twins.map(({ value }) => textOf(value, 'command_id'));
    for (const request of requests.get(body) ?? []) {
      const open = ids.find(isOpen) ?? ids.at(-1) ?? '';
      requestsOf.set(open, [...requestsOf.get(open) ?? [], request]);
    }
  }
  return requestsOf;
}

/** True when a provider's answer ends a command: 2xx, or 4xx but 401 and 429. */
export function isTerminal({ status }: PartyRequest): boolean {
  if (status === null || status === 401 || status === 429) return false;
  return status < 300 || (status >= 400 && status < 500);
}

/** True when a fault was there at any time between two moments. */
export function anyFault(faults: readonly FaultSpan[], from: number, to: number): boolean {
  return faults.some((span) => span.from <= to && span.to >= from);
}
