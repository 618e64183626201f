import { createHash } from 'node:crypto';
import type {
  PersonalKeyEvent, PersonalKeyStates, Subject, SubjectState, WrappedKey,
} from '../../kernel/personal.ts';
import { shardOf } from '../../kernel/shards.ts';
import type { RedisConfig } from './config.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf } from './shards.ts';

interface Row {
  readonly subject: Subject;
  readonly args: readonly (string | number)[];
}

const KINDS = {
  PersonalKeyRecorded: 'recorded', PersonalKeyDropped: 'dropped', PersonalErased: 'erased',
} as const satisfies Record<PersonalKeyEvent['type'], string>;

/**
 * Keys of personal data as hashes, each in the shard of its subject: `k:<id>` a wrapped key,
 * `current` the one that seals, `offer` one that is on its way into the log, `erased` and `d:<id>`
 * what is gone for ever. Subjects are named by their hash.
 */
export function createPersonalKeyStates(
  config: RedisConfig, runScript: RunScript,
): PersonalKeyStates {
  async function run<Answer>(
    script: 'personal-keys' | 'apply-personal-keys', first: readonly string[],
    rows: readonly Row[],
  ): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const placed = rows.map((row, at) => ({ tag: tagOfSubject(row.subject), item: { row, at } }));
    for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
      const replies = await runScript(
        script, call.map(({ item }) => keyOf(item.row.subject)),
        [...first, ...call.flatMap(({ item }) => item.row.args)],
      ) as readonly Answer[];
      call.forEach(({ item }, index) => { answers[item.at] = replies[index] as Answer; });
    }
    return answers;
  }

  async function ask(verb: string, rows: readonly Row[]): Promise<readonly SubjectState[]> {
    return (await run<readonly string[]>('personal-keys', [verb], rows)).map(stateIn);
  }

  return {
    find: (subjects) => ask('find', subjects.map((subject) => ({ subject, args: ['', '', 0] }))),
    offer: (offers) => ask('offer', offers.map(({ subject, key }) => (
      { subject, args: [key.id, key.wrapped, 0] }
    ))),
    confirm: (facts) => ask('confirm', facts.map(({ subject, key_id, wrapped, at_ms }) => (
      { subject, args: [key_id, wrapped, at_ms] }
    ))),
    async apply(facts) {
      const left = await run<readonly string[]>('apply-personal-keys', [], facts.map((fact) => ({
        subject: fact.subject,
        args: [
          KINDS[fact.type],
          fact.type === 'PersonalErased' ? '' : fact.key_id,
          fact.type === 'PersonalKeyRecorded' ? fact.wrapped : '',
          fact.at_ms,
        ],
      })));
      const dropped = new Map(facts.flatMap(({ subject }, at) => (
        (left[at] ?? []).map((key_id) => [`${subject}|${key_id}`, { subject, key_id }] as const)
      )));
      return [...dropped.values()];
    },
  };
}

function tagOfSubject(subject: Subject): string {
  return tagOf(shardOf(subject));
}

function keyOf(subject: Subject): string {
  const digest = createHash('sha256').update(subject).digest('hex');
  return keys.personal(tagOfSubject(subject), digest);
}

function stateIn([kind = '', first = '', ...rest]: readonly string[]): SubjectState {
  switch (kind) {
    case 'erased': return { kind };
    case 'offered': return { kind, key: { id: first, wrapped: rest[0] ?? '' } };
    case 'keys': {
      const found: WrappedKey[] = [];
      for (let at = 0; at < rest.length; at += 2) {
        found.push({ id: rest[at] ?? '', wrapped: rest[at + 1] ?? '' });
      }
      return { kind, keys: found, current: first };
    }
    default: return { kind: 'none' };
  }
}
