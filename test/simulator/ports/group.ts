import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import type {
  CommitOffset, LogHandler, TopicPartition,
} from '../../../services/kernel/record-log.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Wire } from '../core/wire.ts';
import type { AppendedRecord, SimLog } from './log.ts';

/** A consumer group: shares partitions among processes and remembers what they committed. */
export interface SimGroup {
  join(process: SimProcess, handler: LogHandler): void;
  /** Gives every partition to any member; the former owner may be in the middle of something. */
  rebalance(): void;
  isCaughtUp(): boolean;
}

/** How a group may be wrong, for mutants. */
export interface GroupFlaws {
  readonly commitsFirst?: boolean;
}

interface Member {
  readonly process: SimProcess;
  readonly handler: LogHandler;
  readonly offsets: Map<string, number>;
  wake: (() => void) | undefined;
}

const BATCH_MAX = 4;
const PAUSE_MS = 500;
const LAG_MS_MAX = 5_000;
const SESSION_MS_MAX = 9_000;

/** Makes a group over topics; `onDefect` gets what a handler throws that is no passing fault. */
export function createGroup(
  wire: Wire, log: SimLog, topics: readonly string[],
  onDefect: (process: SimProcess, error: unknown) => void, flaws: GroupFlaws = {},
): SimGroup {
  const { scheduler, weather } = wire;
  const { dice } = scheduler;
  const members: Member[] = [];
  const owners = new Map<string, Member>();
  const committed = new Map<string, number>();
  const all = topics.flatMap((topic) => log.partitions(topic).map((own, partition) => ({
    name: `${topic}:${partition}`, own, partition: { topic, topicId: `${topic}-id`, partition },
  })));

  function rebalance(): void {
    owners.clear();
    if (members.length === 0) return;
    for (const { name } of all) owners.set(name, dice.pick(members));
    scheduler.addToTrace(`shares: ${[...owners].map(([name, { process }]) =>
      `${name} to ${process.name}`).join(', ')}`);
    for (const member of members) wake(member);
  }

  function wake(member: Member): void {
    const { wake: run } = member;
    member.wake = undefined;
    if (run !== undefined) scheduler.post(member.process, 'work', 'wakes up', 0, run);
  }

  function fetch(member: Member): readonly AppendedRecord[] {
    const ready = all.filter(({ name, own }) =>
      own.length > (member.offsets.get(name) ?? Infinity));
    const records: AppendedRecord[] = [];
    for (const { name, own } of ready) {
      const from = member.offsets.get(name) ?? 0;
      if (records.length < BATCH_MAX) records.push(...own.slice(from, from + dice.between(1, 3)));
    }
    return records;
  }

  /** True when a rebalance came in between: a member that was not asleep is not woken. */
  const isStale = (member: Member): boolean =>
    all.some(({ name }) => member.offsets.has(name) !== (owners.get(name) === member));

  async function adapt(member: Member): Promise<void> {
    const { offsets, handler } = member;
    const isOwn = (name: string): boolean => owners.get(name) === member;
    const gone = all.filter(({ name }) => offsets.has(name) && !isOwn(name));
    for (const { name } of gone) offsets.delete(name);
    if (gone.length > 0) await handler.onRevoked(partitionsOf(gone));
    const come = all.filter(({ name }) => !offsets.has(name) && isOwn(name));
    if (come.length === 0) return;
    for (const { name } of come) {
      const again = !weather.isCalm() && dice.chance(0.4) ? dice.between(1, 3) : 0;
      offsets.set(name, Math.max(0, (committed.get(name) ?? 0) - again));
    }
    await handler.onAssigned(partitionsOf(come));
  }

  /** Only the owner of this moment may commit: the real group knows members by generation. */
  async function commit(member: Member, offsets: readonly CommitOffset[]): Promise<void> {
    try {
      await wire.exchange(member.process, 'commit', 'log_unavailable', () => {
        for (const { topic, partition, nextOffset } of offsets) {
          const name = `${topic}:${partition}`;
          if (owners.get(name) === member) committed.set(name, Number(nextOffset));
        }
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  async function work(member: Member): Promise<void> {
    const { handler, offsets, process } = member;
    if (weather.chance('lag')) await wire.pauseOf(process)(dice.between(200, LAG_MS_MAX));
    const records = fetch(member);
    if (records.length === 0 && isStale(member)) return;
    if (records.length === 0) {
      await new Promise<void>((resolve) => { member.wake = resolve; });
      return;
    }
    if (flaws.commitsFirst === true) await commit(member, commitsOf(records));
    let done: readonly CommitOffset[];
    try {
      done = await handler.onRecords(records);
    } catch (error) {
      if (!isUnavailable(error) || !error.retryable) throw error;
      scheduler.addToTrace(`batch again: ${error.code}`);
      await wire.pauseOf(process)(PAUSE_MS);
      return;
    }
    for (const { topic, partition, nextOffset } of done) {
      const name = `${topic}:${partition}`;
      if (offsets.has(name)) offsets.set(name, Number(nextOffset));
    }
    await commit(member, done);
  }

  async function run(member: Member): Promise<void> {
    for (;;) {
      await adapt(member);
      await work(member);
    }
  }

  log.onAppended(({ topic }) => {
    if (topics.includes(topic)) for (const member of members) wake(member);
  });

  return {
    join(process, handler) {
      const member: Member = { process, handler, offsets: new Map(), wake: undefined };
      members.push(member);
      process.onDeath.push(() => {
        const missed = scheduler.spawn('session');
        scheduler.post(missed, 'timer', `${process.name} is missed`,
          dice.between(0, weather.isCalm() ? 10 : SESSION_MS_MAX), () => {
            members.splice(members.indexOf(member), 1);
            rebalance();
          });
      });
      rebalance();
      run(member).catch((error: unknown) => onDefect(process, error));
    },
    rebalance,
    isCaughtUp: () => all.every(({ name, own }) =>
      own.length === 0 || (owners.get(name)?.offsets.get(name) ?? -1) >= own.length),
  };
}

function partitionsOf(
  assigned: readonly { readonly partition: TopicPartition }[],
): readonly TopicPartition[] {
  return assigned.map(({ partition }) => partition);
}

function commitsOf(records: readonly AppendedRecord[]): readonly CommitOffset[] {
  const last = new Map(records.map((each) => [`${each.topic}:${each.partition}`, each]));
  return [...last.values()].map(({ topic, partition, offset }) => (
    { topic, partition, nextOffset: offset + 1n }
  ));
}
