import { TOPICS } from '../../schemas/generated/catalog.ts';
import { topicsOf } from '../domain/live/facts.ts';
import { WEBHOOK_KINDS } from '../domain/webhook/webhook.ts';
import type { Code } from '../kernel/codes.ts';
import { TABLES } from './table-writer/config.ts';

/** The programs of the workers; each is one Deployment. */
export type WorkerProgram = 'projector' | 'journey' | 'table-writer' | 'parties';

/** What a worker must reach beside the log. */
export type Store = 'state' | 'tables' | 'images' | 'parties' | 'vault' | 'personal-key';

/** One step of a worker, and the failures that it may give. */
export interface WorkerStage<Name extends string = string> {
  readonly name: Name;
  readonly codes: readonly Code[];
}

/** What makes more Pods of a worker worth while: its lag, measured against the pace of one Pod. */
export interface ScalingSignal {
  /** Whose pace it is: measured by the bench, or so many records a second that are assumed. */
  readonly pace: 'table-writer' | 'projector' | { readonly assumed: number; readonly why: string };
  /** Delay, in seconds, that one Pod may have. */
  readonly delaySeconds: number;
}

/** One worker: a part of a program that can also be run alone. */
export interface Worker {
  /** Its name in metrics, dead letters and arguments; `rastro.` before it names its group. */
  readonly id: string;
  readonly program: WorkerProgram;
  readonly part: string;
  /** Topics that its consumer group reads; none for a worker that serves a due queue. */
  readonly reads: readonly string[];
  /** Topics that it reads outside of a group. */
  readonly replays: readonly string[];
  readonly writes: readonly string[];
  readonly needs: readonly Store[];
  readonly stages: readonly WorkerStage[];
  /** Missing where others are waited for: more Pods would wait as long. */
  readonly scale?: ScalingSignal;
  /** Topics from which its state is rebuilt: before calls are answered, and afterwards. */
  readonly rebuild?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

const stage = <const Name extends string>(
  name: Name, ...codes: readonly Code[]
): WorkerStage<Name> => ({ name, codes });

const DEAD_LETTERS = [TOPICS.deadLetters.name];
const APPEND_FAILS = ['log_unavailable', 'log_timeout'] as const;
const STATE_FAILS = ['state_unavailable', 'state_not_ready'] as const;

/** Stages of every worker that applies batches of records, in their order. */
export const BATCH_STAGES = [
  stage('apply', 'undecodable', 'schema_unknown', 'record_invalid', 'key_parked', 'defect', ...STATE_FAILS, ...APPEND_FAILS),
  stage('refuse-flood', 'undecodable', 'schema_unknown', 'record_invalid'),
  stage('dead-letters', ...APPEND_FAILS),
  stage('report'),
] as const;

/** Stages of a table writer; rows are in before the offsets of their records are handed back. */
export const TABLE_STAGES = [
  stage('forget-committed', ...STATE_FAILS),
  stage('learn-erasures', 'log_unavailable'),
  stage('form-batches'),
  stage('remember', ...STATE_FAILS),
  stage('insert', 'undecodable', 'schema_unknown', 'record_invalid', 'defect', 'sink_rejected', 'sink_unavailable', ...STATE_FAILS, ...APPEND_FAILS),
] as const;

/** Stages of a worker that serves due queues; all but the first are of one item. */
export const DUE_STAGES = [
  stage('take-due', ...STATE_FAILS),
  stage('load', ...STATE_FAILS),
  stage('request', 'personal_key_unavailable', ...STATE_FAILS),
  stage('record', 'personal_key_unavailable', 'images_unavailable', ...APPEND_FAILS, ...STATE_FAILS),
] as const;

const ONE_CALL = 'one call of the state store for each record';

/** Every worker. Every list of workers is made from this one. */
export const WORKERS = [
  projection('personal', {
    reads: [TOPICS.personalKeys.name], writes: [TOPICS.personalKeys.name],
    scale: { pace: { assumed: 1_000, why: ONE_CALL }, delaySeconds: 5 },
  }),
  projection('access', {
    reads: [
      TOPICS.clients.name, TOPICS.tokens.name, TOPICS.parties.name, TOPICS.overflow.name,
      TOPICS.webhooks.name,
    ],
    scale: {
      pace: { assumed: 1_500, why: 'a token is good where its record is applied' },
      delaySeconds: 5,
    },
  }),
  projection('devices', {
    reads: [TOPICS.deviceLifecycle.name, TOPICS.erasedTracks.name, TOPICS.locations.name],
    rebuild: {
      before: [TOPICS.deviceLifecycle.name, TOPICS.erasedTracks.name],
      after: [TOPICS.locations.name],
    },
    scale: { pace: 'projector', delaySeconds: 5 },
  }),
  projection('deliveries', {
    reads: [TOPICS.erasedDrivers.name, TOPICS.deliveryLocations.name],
    rebuild: {
      before: [TOPICS.erasedDrivers.name], after: [TOPICS.deliveryLocations.name],
    },
    scale: { pace: { assumed: 1_500, why: ONE_CALL }, delaySeconds: 5 },
  }),
  projection('commands', {
    reads: [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
    scale: { pace: { assumed: 1_000, why: ONE_CALL }, delaySeconds: 5 },
  }),
  projection('authorizations', {
    reads: [TOPICS.authorizations.name, TOPICS.authorizationCalls.name],
    scale: { pace: { assumed: 1_000, why: ONE_CALL }, delaySeconds: 5 },
  }),
  worker('journey', 'journey', {
    reads: [TOPICS.notifications.name],
    replays: [
      TOPICS.notificationCodes.name, TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name,
    ],
    writes: [TOPICS.journey.name, ...DEAD_LETTERS, TOPICS.deadLetterRepairs.name],
    needs: ['state'], stages: BATCH_STAGES,
    scale: {
      pace: { assumed: 400, why: 'two calls and an append for each record' }, delaySeconds: 10,
    },
    rebuild: { before: [TOPICS.journey.name], after: [] },
  }),
  worker('table-writer', 'table-writer', {
    reads: Object.keys(TABLES),
    replays: [TOPICS.overflow.name, TOPICS.erasedTracks.name, TOPICS.erasedDrivers.name],
    writes: [...DEAD_LETTERS, TOPICS.overflowLocations.name, TOPICS.overflow.name],
    needs: ['state', 'tables'], stages: TABLE_STAGES,
    scale: { pace: 'table-writer', delaySeconds: 20 },
  }),
  worker('table-writer', 'overflow', {
    reads: [TOPICS.overflowLocations.name],
    replays: [TOPICS.erasedTracks.name, TOPICS.erasedDrivers.name],
    writes: DEAD_LETTERS,
    needs: ['state', 'tables'], stages: TABLE_STAGES,
    // Its devices flood and may be late; one of them is one partition, and no Pod helps that.
    scale: { pace: 'table-writer', delaySeconds: 120 },
  }),
  worker('parties', 'commands', {
    reads: [TOPICS.providerCommands.name],
    replays: [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
    writes: [TOPICS.providerCommandResults.name, ...DEAD_LETTERS],
    needs: ['state', 'parties', 'vault'], stages: BATCH_STAGES,
  }),
  worker('parties', 'authorizations', {
    writes: [TOPICS.authorizationCalls.name, TOPICS.personalKeys.name],
    needs: ['state', 'parties', 'vault', 'personal-key'], stages: DUE_STAGES,
  }),
  worker('parties', 'feeds', {
    writes: [
      TOPICS.notifications.name, TOPICS.feeds.name, TOPICS.personalKeys.name, ...DEAD_LETTERS,
    ],
    needs: ['state', 'parties', 'vault', 'personal-key', 'images'], stages: DUE_STAGES,
    rebuild: { before: [TOPICS.feeds.name], after: [] },
  }),
  worker('parties', 'webhooks', {
    replays: topicsOf(WEBHOOK_KINDS),
    writes: [TOPICS.webhookDeliveries.name, TOPICS.webhookOutboxes.name],
    needs: ['state', 'parties', 'vault'], stages: DUE_STAGES,
    rebuild: { before: [TOPICS.webhookOutboxes.name], after: [] },
  }),
  worker('parties', 'examinations', {
    needs: ['state', 'parties', 'vault'], stages: DUE_STAGES,
  }),
] as const;

/** The id of one worker. */
export type WorkerId = (typeof WORKERS)[number]['id'];

/** The name of one projection of the state store. */
export type ProjectionName = Extract<(typeof WORKERS)[number], { program: 'projector' }>['part'];

/** The programs, each once, in the order of the table. */
export const WORKER_PROGRAMS: readonly WorkerProgram[] =
  [...new Set(WORKERS.map(({ program }) => program))];

/** Ids of the workers that need nothing but the log and the state store. */
export const STATE_WORKERS: readonly WorkerId[] =
  WORKERS.filter(({ needs }) => needs.join() === 'state').map(({ id }) => id);

/** The row of one worker. */
export function workerOf(id: string): Worker {
  const found = (WORKERS as readonly Worker[]).find((row) => row.id === id);
  if (found === undefined) throw new Error(`No worker ${id} is in the table of workers.`);
  return found;
}

/**
 * Whether a process that runs these workers watches over the state store and rebuilds it. Each
 * process of the projector does, whatever it was left with by `--only`.
 */
export function watchesState(ids: readonly WorkerId[]): boolean {
  return ids.some((id) => workerOf(id).program === 'projector');
}

/** The consumer group of a worker; its offsets in the log are stored under it. */
export function groupOf(id: WorkerId): `rastro.${WorkerId}` {
  return `rastro.${id}`;
}

/**
 * The group of a worker that fills a replica of the tables: each replica follows the log on its
 * own. Without a name it is the replica that gateways read first, and workers without tables have
 * one group only.
 */
export function replicaGroupOf(id: WorkerId, replica: string | undefined): string {
  const group = groupOf(id);
  return replica === undefined || !workerOf(id).needs.includes('tables') ? group : `${group}@${replica}`;
}

type IdOf<Program extends string, Part extends string> =
  Program extends Part ? Program : `${Program}.${Part}`;

type Row = Partial<Omit<Worker, 'id' | 'program' | 'part'>> & Pick<Worker, 'needs' | 'stages'>;

function worker<const Program extends WorkerProgram, const Part extends string>(
  program: Program, part: Part, row: Row,
): Worker & { id: IdOf<Program, Part>; program: Program; part: Part } {
  const id = (program as string) === part ? program : `${program}.${part}`;
  return {
    reads: [], replays: [], writes: [], ...row,
    id: id as IdOf<Program, Part>, program, part,
  };
}

/** A part of the projector; unless it says otherwise, its state is rebuilt from what it reads. */
function projection<const Part extends string>(part: Part, row: Omit<Row, 'needs' | 'stages'>) {
  return worker('projector', part, {
    needs: ['state'], stages: BATCH_STAGES,
    rebuild: { before: row.reads ?? [], after: [] },
    ...row,
    writes: [...DEAD_LETTERS, ...row.writes ?? []],
  });
}
