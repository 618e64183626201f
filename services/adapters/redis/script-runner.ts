import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { isUnavailable, Unavailable, type Stage } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import { passStep } from '../signals/steps.ts';
import type { RedisClient } from './connection.ts';
import { replyCodeOf, toFault } from './faults.ts';
import type { Incarnation } from './incarnation.ts';

interface ScriptRow {
  readonly parts: readonly string[];
  readonly flags?: string;
  /** Whether it serves calls and so tests the ready mark: always, or when asked by a first 1. */
  readonly mark?: 'always' | 'asked';
  readonly stage: Stage;
}

/**
 * Every script: the files it is put together from and where in the data's way it runs. Admission
 * runs also when memory is full, because reading must not fail because a counter cannot be written.
 */
const SCRIPTS = {
  admit: { parts: ['gcra', 'admit'], flags: 'allow-oom', mark: 'always', stage: 'admit' },
  'read-entries': { parts: ['read-entries'], mark: 'asked', stage: 'decide' },
  'commit-entries': { parts: ['commit-entries'], mark: 'asked', stage: 'apply' },
  'read-members': { parts: ['read-members'], mark: 'always', stage: 'decide' },
  'charge-token-request': { parts: ['gcra', 'charge-token-request'], mark: 'always', stage: 'admit' },
  'charge-tenant': {
    parts: ['gcra', 'charge-tenant'], flags: 'allow-oom', mark: 'always', stage: 'admit',
  },
  'record-token-failure': { parts: ['gcra', 'record-token-failure'], mark: 'always', stage: 'admit' },
  'offer-fixes': { parts: ['newer', 'offer-fixes'], stage: 'apply' },
  'erase-fixes': { parts: ['erase-fixes'], stage: 'apply' },
  'forget-traceables': { parts: ['forget-traceables'], stage: 'apply' },
  'offer-traceables': { parts: ['newer', 'offer-traceables'], stage: 'apply' },
  'find-fix': { parts: ['find-fix'], mark: 'always', stage: 'admit' },
  'find-fleet': { parts: ['find-fleet'], mark: 'always', stage: 'admit' },
  'claim-rebuild': { parts: ['claim-rebuild'], stage: 'apply' },
  'holds-rebuild': { parts: ['holds-rebuild'], stage: 'apply' },
  'mark-shards': { parts: ['mark-shards'], stage: 'apply' },
  'keep-checkpoint': { parts: ['keep-checkpoint'], mark: 'always', stage: 'apply' },
  'take-due': { parts: ['take-due'], mark: 'always', stage: 'decide' },
  'keep-refusals': { parts: ['keep-refusals'], stage: 'apply' },
  'keep-taken': { parts: ['keep-taken'], stage: 'apply' },
  'read-limits': { parts: ['gcra', 'read-limits'], mark: 'always', stage: 'decide' },
  'clear-pending-insert': { parts: ['clear-pending-insert'], stage: 'insert' },
} as const satisfies Record<string, ScriptRow>;

/** The name of a script in `scripts/`. */
export type ScriptName = keyof typeof SCRIPTS;

/** The names of all scripts. */
export const SCRIPT_NAMES = Object.keys(SCRIPTS) as readonly ScriptName[];

/**
 * Runs a script by its digest. Rejects with `Unavailable` `state_unavailable` or `state_not_ready`,
 * never repeats on its own: the caller knows whether repeating is right.
 */
export type RunScript = (
  name: ScriptName, keys: readonly string[], args: readonly (string | number)[],
) => Promise<unknown>;

/**
 * Reads the scripts from their files and returns the one way to run them. Those that serve calls
 * run only on servers that carry marks of their own.
 */
export function createScriptRunner(
  client: RedisClient, incarnation: Pick<Incarnation, 'isTrusted' | 'require'>,
  ports: { readonly signals: Signals; readonly clock: Clock },
): RunScript {
  const { signals, clock } = ports;
  const texts = new Map<ScriptName, { text: string; digest: string }>();
  for (const name of SCRIPT_NAMES) texts.set(name, load(name));

  async function call(name: ScriptName, rest: (string | number)[]): Promise<unknown> {
    const { text, digest } = texts.get(name) ?? load(name);
    try {
      return await client.call('EVALSHA', [digest, ...rest]);
    } catch (error) {
      if (replyCodeOf(error) !== 'NOSCRIPT') throw error;
    }
    return client.call('EVAL', [text, ...rest]);
  }

  return async function runScript(name, keys, args) {
    const begun = clock.nowMs();
    const isMarked = needsMark(name, args);
    let code = 'ok';
    try {
      if (isMarked && !incarnation.isTrusted()) {
        await incarnation.require(SCRIPTS[name].stage);
      }
      passStep('redis.before', name);
      const reply = await call(name, [keys.length, ...keys, ...args]);
      passStep('redis.after', name);
      if (isMarked && !incarnation.isTrusted()) {
        throw new Unavailable(
          'state_unavailable', SCRIPTS[name].stage, `${name}: another server took over meanwhile`,
        );
      }
      return reply;
    } catch (error) {
      const fault = toFault(error, SCRIPTS[name].stage, name);
      code = isUnavailable(fault) ? fault.code : 'internal';
      throw fault;
    } finally {
      signals.stateCalled({ script: name, code, seconds: (clock.nowMs() - begun) / 1000 });
    }
  };
}

function needsMark(name: ScriptName, args: readonly (string | number)[]): boolean {
  const { mark }: ScriptRow = SCRIPTS[name];
  return mark === 'always' || (mark === 'asked' && args[0] === 1);
}

function load(name: ScriptName): { text: string; digest: string } {
  const row: ScriptRow = SCRIPTS[name];
  // The first line makes the server refuse the whole script up front on a read-only or full
  // server, instead of in the middle of it.
  const first = row.flags === undefined ? '#!lua' : `#!lua flags=${row.flags}`;
  const bodies = row.parts.map(
    (part) => readFileSync(new URL(`scripts/${part}.lua`, import.meta.url), 'utf8'),
  );
  const text = [first, ...bodies].join('\n');
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}
