import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { createDice, type Dice } from '../../faults/dice.ts';
import { openAllGateways, type AllGateways, type Mutate } from './all-gateways.ts';
import { maySee, openCallers, type CallerKind, type Callers } from './callers.ts';
import { drawProbe, type ProbeReach } from './draw.ts';
import { markFollowed, recordsOf } from './follow.ts';
import { createMarkers, type Markers } from './markers.ts';
import { plant, plantCall } from './plant.ts';
import type { Planted } from './planted.ts';
import { requestOf, saidBy } from './send.ts';

/** What a run of probes is. */
export interface ProbeRun {
  readonly seed: number;
  readonly probes: number;
  readonly mutate?: Mutate;
  /** Only these operations, by id; all where it is absent. */
  readonly only?: readonly string[];
  /** Operations that read and name nothing that is planted. */
  readonly showNothing?: readonly string[];
}

/** What a run of probes saw. */
export interface ProbesSeen {
  /** Calls that were sent. */
  sent: number;
  /** Answers with something of another that its caller may not read. */
  readonly leaks: string[];
  /** Pages whose policy is none, or lets in what was written into them. */
  readonly looseness: string[];
  /** Answers that say that the gateway failed. */
  readonly faults: string[];
  /** Operations that answered a call with success. */
  readonly opened: Set<string>;
  /** Operations that showed a caller something that was planted, and that it had not sent. */
  readonly shown: Set<string>;
  /** Every operation with every kind of caller that tried it. */
  readonly pairs: Set<string>;
  /** What was tried, by its id; and those of it that only read; and who tried it, by name. */
  readonly operations: readonly string[];
  readonly reading: readonly string[];
  readonly callers: readonly string[];
}

/** The page that the browser gets before it asks anything; no operation of the interface. */
const CONSOLE_PAGE: Operation = {
  id: 'console-page', method: 'GET', path: '/console/', authentication: 'none', bodyKind: 'none',
  bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
  handle: () => Promise.reject(new Error('It is served as a file.')),
};

interface Running {
  readonly at: AllGateways;
  readonly dice: Dice;
  readonly markers: Markers;
  readonly callers: Callers;
  readonly things: Map<string, Planted[]>;
  /** By account, what its calls wrote: it may read that back later. */
  readonly written: Map<string, string[]>;
  readonly seen: ProbesSeen;
}

/** Sends so many probes: every operation by every kind of caller, in an order that chance gives. */
export async function runProbes(
  { seed, probes, mutate, only, showNothing = [] }: ProbeRun,
): Promise<ProbesSeen> {
  const at = await openAllGateways(mutate);
  try {
    const dice = createDice(seed);
    const callers = await openCallers(at, dice);
    const operations = [...at.operations, CONSOLE_PAGE]
      .filter(({ id }) => only?.includes(id) ?? true);
    const run: Running = {
      at, dice, markers: createMarkers(), callers, things: new Map(), written: new Map(),
      seen: {
        sent: 0, leaks: [], looseness: [], faults: [], opened: new Set(), shown: new Set(),
        pairs: new Set(), operations: operations.map(({ id }) => id),
        reading: operations.filter(({ method }) => method === 'GET').map(({ id }) => id),
        callers: callers.all.map(({ name }) => name),
      },
    };
    while (run.seen.sent < probes) {
      await plantMore(run);
      const pairs = shuffled(dice, operations.flatMap((operation) => (
        callers.all.map((caller) => ({ operation, caller })))));
      for (const { operation, caller } of pairs.slice(0, probes - run.seen.sent)) {
        await sendProbe(run, operation, caller);
      }
    }
    if (only === undefined) await openRest(run, operations, showNothing);
    return run.seen;
  } finally {
    await at.edge.close();
  }
}

const ROUNDS_MAX = 20;

/** Tries on with what chance has not shown yet: what shows nothing to any caller proves little. */
async function openRest(
  run: Running, operations: readonly Operation[], showNothing: readonly string[],
): Promise<void> {
  const { opened, shown } = run.seen;
  await plantMore(run);
  for (const operation of operations) {
    const { id, method } = operation;
    const isProof = (): boolean => (
      opened.has(id) && (method !== 'GET' || shown.has(id) || showNothing.includes(id)));
    for (let round = 0; round < ROUNDS_MAX && !isProof(); round += 1) {
      for (const caller of run.callers.all) await sendProbe(run, operation, caller);
    }
  }
}

/** One more of everything for everyone: what was there before may be stopped or cancelled. */
async function plantMore(run: Running): Promise<void> {
  const { markers, callers, things } = run;
  for (const account of callers.owners) {
    const planted = {
      ...await plant(run, account), call: await plantCall(run, account),
    };
    markFollowed(markers, account, planted);
    things.set(account.name, [...things.get(account.name) ?? [], planted]);
  }
}

async function sendProbe(
  { at, dice, markers, callers, things, written, seen }: Running, operation: Operation,
  caller: CallerKind,
): Promise<void> {
  const reach: ProbeReach = { owners: callers.owners, things };
  const probe = drawProbe(reach, dice, operation, caller);
  const proof = await caller.headersFor(operation, dice);
  const own = written.get(caller.account?.name ?? '') ?? [];
  const said = saidBy(probe);
  const answer = await fetch(at.edge.url + probe.path, requestOf(probe, proof));
  const body = await readWhole(at, answer, () => callers.owners
    .filter(({ client }) => client.sandbox !== true)
    .flatMap((account) => (
      recordsOf(account, things.get(account.name)?.at(-1) ?? never(account.name)))));

  const what = `${operation.id} by ${caller.name}: ${probe.method} ${probe.path}`;
  seen.sent += 1;
  seen.pairs.add(`${operation.id} ${caller.name}`);
  if (answer.ok) seen.opened.add(operation.id);
  if (answer.status >= 500) seen.faults.push(`${what} ${answer.status} ${body.slice(0, 200)}`);
  if (isLoose(answer)) seen.looseness.push(what);
  if (answer.ok && probe.method === 'POST' && caller.account !== undefined) {
    written.set(caller.account.name, [...own, said]);
  }
  const found = [JSON.stringify([...answer.headers]), body].flatMap(markers.foundIn);
  for (const marker of found) {
    if (said.includes(marker.text)) continue;
    if (maySee(caller, marker, operation)) seen.shown.add(operation.id);
    else if (!own.some((text) => text.includes(marker.text))) {
      seen.leaks.push(`${what} ${answer.status} shows ${marker.text} of ${marker.owner}`);
    }
  }
}

/** The body of an answer; a feed goes on until it had something of every account. */
async function readWhole(
  { feeds }: AllGateways, answer: Response, records: () => Parameters<typeof feeds.sayAndEnd>[0],
): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  const isBinary = type.startsWith('application/vnd.rastro');
  if (answer.ok && (isBinary || type.startsWith('text/event-stream'))) feeds.sayAndEnd(records());
  if (!isBinary) return answer.text();
  const bytes = Buffer.from(await answer.arrayBuffer());
  return `${bytes.toString('latin1')} ${idsIn(bytes)}`;
}

const ID_BYTES = 16;

/** Every id that sixteen bytes in a row may be, as text. */
function idsIn(bytes: Buffer): string {
  return Array.from({ length: Math.max(0, bytes.length - ID_BYTES + 1) }, (_, from) => (
    bytes.toString('hex', from, from + ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))).join(' ');
}

/** True for a page that a browser would let run what was written into it. */
function isLoose({ headers }: Response): boolean {
  if (headers.get('access-control-allow-origin') !== null) return true;
  if (headers.get('content-type')?.startsWith('text/html') !== true) return false;
  const policy = headers.get('content-security-policy') ?? '';
  return !policy.includes("default-src 'none'") || policy.includes('unsafe-');
}

function shuffled<Item>(dice: Dice, items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ item, at: dice.next() }))
    .toSorted((one, other) => one.at - other.at).map(({ item }) => item);
}

function never(name: string): never {
  throw new Error(`Nothing was planted for ${name}.`);
}
