import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { Grant } from '../../services/adapters/kafka/grants.ts';
import { REPLAYED_TOPICS } from '../../services/operator/dead-letters/plan-replay.ts';
import { WORKERS, type Worker } from '../../services/workers/workers.ts';

/** Groups of the workers, and those that kafkajs makes up for a read outside of any group. */
const WORKER_GROUPS = 'rastro.';
const READ_GROUPS = 'rastro-read-';

/** What the workers may do with a topic follows from the table of workers alone. */
const ROWS: readonly Worker[] = WORKERS;
const WORKERS_WRITE = new Set(ROWS.flatMap(({ writes }) => writes));
const WORKERS_READ = new Set(ROWS.flatMap(({ reads, replays, rebuild }) => (
  [...reads, ...replays, ...rebuild?.before ?? [], ...rebuild?.after ?? []]
)));

/**
 * Who may do what with the log: the workers by their table, the gateways by the catalog, of which
 * the live one alone reads: as `live`, or as `gateways` where one process runs all of them. It puts
 * dead letters back too, into each topic that takes a record again, decides what overflows, and
 * writes no other. Of every topic it sees the offsets, for the pipeline of operators, and no
 * record. The operator's command line reads everything and puts any record back; topics and rights
 * are the administrator's alone.
 */
export function grantsOfCatalog(live: 'live' | 'gateways' = 'live'): readonly Grant[] {
  const topics: readonly {
    readonly name: string; readonly written_by: readonly string[];
    readonly read_by: readonly string[];
  }[] = Object.values(TOPICS);
  const ofTopics = topics.flatMap(({ name, written_by, read_by }) => [
    ...usersOf(written_by, WORKERS_WRITE.has(name))
      .map((user) => (user === 'live' ? live : user))
      .map((user) => ({ user, topic: name, may: ['write', 'describe'] as const })),
    ...(REPLAYED_TOPICS.includes(name)
      ? [{ user: live, topic: name, may: ['write', 'describe'] as const }] : []),
    ...usersOf(read_by, WORKERS_READ.has(name))
      .map((user) => (user === 'live' ? live : user))
      .map((user) => ({ user, topic: name, may: ['read', 'describe'] as const })),
    { user: live, topic: name, may: ['describe'] as const },
    { user: 'operator', topic: name, may: ['write', 'read', 'describe'] as const },
  ]);
  return [
    ...ofTopics,
    // The live gateway begins where the projector stands, and shows the lag of each worker.
    { user: live, groupsFrom: WORKER_GROUPS, may: ['describe'] },
    { user: live, groupsFrom: READ_GROUPS, may: ['read', 'describe', 'delete'] },
    { user: 'workers', groupsFrom: WORKER_GROUPS, may: ['read', 'describe'] },
    { user: 'workers', groupsFrom: READ_GROUPS, may: ['read', 'describe', 'delete'] },
    { user: 'operator', groupsFrom: READ_GROUPS, may: ['read', 'describe', 'delete'] },
    // The operator sees the lag of the workers by what they have committed.
    { user: 'operator', groupsFrom: WORKER_GROUPS, may: ['describe'] },
  ];
}

function usersOf(named: readonly string[], areWorkers: boolean): readonly string[] {
  return [...named.filter((user) => user !== 'workers'), ...areWorkers ? ['workers'] : []];
}
