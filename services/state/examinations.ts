import { decideAsk } from '../domain/examination/examination.ts';
import type {
  AddressExamination, ExaminationAsked, Examinations, ExaminedCheck,
} from '../kernel/examinations.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { createDueQueue } from './due-queue.ts';
import { jsonIn, numberIn } from './entries.ts';
import { READY } from './fold-facts.ts';
import { transact } from './transact.ts';

const QUEUE: StateKey = { shard: 0, kind: 'examinations-due', id: '' };
const KEPT_MS = 86_400_000;
/** Names of the fields of checks begin so, and rise with their order. */
const CHECK = 'check:';
const CHECK_DIGITS = 3;

type Change = Readonly<Record<string, string>>;

/** The newest examination of each party in one entry, which goes a day after it was asked for. */
export function createExaminations(store: StateStore): Examinations {
  const queue = createDueQueue(store, QUEUE);

  /** Changes the run while it is the newest one and has not ended; says whether it was. */
  function change(
    { partyId, run }: AddressExamination,
    changeOf: (fields: StateFields, nowMs: number) => Change | undefined,
  ): Promise<boolean> {
    const key = keyOf(partyId);
    return transact(store, READY, {
      keys: [key],
      decide([entry], nowMs) {
        const { version = 0, fields = new Map<string, string>() } = entry ?? {};
        const isOpen = fields.get('run') === run && !fields.has('ended_ms');
        const set = isOpen ? changeOf(fields, nowMs) : undefined;
        return set === undefined ? { result: false }
          : { result: true, transaction: { entries: [{ key, version, set }] } };
      },
    });
  }

  return {
    ...queue,

    async find(partyIds) {
      if (partyIds.length === 0) return [];
      const { entries } = await store.read(partyIds.map(keyOf), READY);
      return entries.flatMap(({ fields }, at) => examinationIn(partyIds[at] ?? '', fields) ?? []);
    },

    async ask({ partyId, clientId, country, run }) {
      const key = keyOf(partyId);
      const outcome = await transact<ExaminationAsked>(store, READY, {
        keys: [key],
        decide([entry], nowMs) {
          const { version = 0, fields = new Map<string, string>() } = entry ?? {};
          const newest = examinationIn(partyId, fields);
          const decided = decideAsk({ times: jsonIn<number[]>(fields, 'asks') ?? [], newest }, nowMs);
          if (decided.kind === 'wait') return { result: decided };
          const set = {
            run, country, client: clientId, asked_ms: String(nowMs),
            asks: JSON.stringify(decided.times),
          };
          const drop = [...fields.keys()].filter((name) => !Object.hasOwn(set, name));
          const examination = { partyId, clientId, country, run, askedAtMs: nowMs, checks: [] };
          return {
            result: { kind: 'asked', examination } as const,
            transaction: { entries: [{ key, version, set, drop, expireAtMs: nowMs + KEPT_MS }] },
          };
        },
      });
      // The entry first: who takes a party from the queue finds it.
      if (outcome.kind === 'asked') {
        await queue.reschedule(partyId, outcome.examination.askedAtMs);
      }
      return outcome;
    },

    begin: (examination, planned) => change(examination, (fields, nowMs) => (
      fields.has('started_ms') ? undefined
        : { started_ms: String(nowMs), planned: String(planned) }
    )),

    async add(examination, check) {
      await change(examination, (fields) => {
        const made = [...fields.keys()].filter((name) => name.startsWith(CHECK)).length;
        return { [nameOfCheck(made)]: JSON.stringify(check) };
      });
    },

    async end(examination, stopped) {
      await change(examination, (_, nowMs) => ({
        ended_ms: String(nowMs), ...(stopped === undefined ? {} : { stopped }),
      }));
    },
  };
}

function keyOf(partyId: string): StateKey {
  return { shard: shardOf(partyId), kind: 'examination', id: partyId };
}

function nameOfCheck(at: number): string {
  return CHECK + String(at).padStart(CHECK_DIGITS, '0');
}

function examinationIn(partyId: string, fields: StateFields): AddressExamination | undefined {
  const [run, askedAtMs] = [fields.get('run'), numberIn(fields, 'asked_ms')];
  if (run === undefined || askedAtMs === undefined) return undefined;
  const checks = [...fields].filter(([name]) => name.startsWith(CHECK))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => JSON.parse(text) as ExaminedCheck);
  return {
    partyId, run, askedAtMs, checks,
    clientId: fields.get('client') ?? '', country: fields.get('country') ?? '',
    startedAtMs: numberIn(fields, 'started_ms'), endedAtMs: numberIn(fields, 'ended_ms'),
    stopped: fields.get('stopped'), planned: numberIn(fields, 'planned'),
  };
}
