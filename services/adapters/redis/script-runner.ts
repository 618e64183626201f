import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { isUnavailable, type Stage } from '../../kernel/unavailable.ts';
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
 * runs also when memory is full, because reading must not fail for want of a counter.
 */
const SCRIPTS = {
  admit: { parts: ['gcra', 'admit'], flags: 'allow-oom', mark: 'always', stage: 'admit' },
  read: { parts: ['read'], mark: 'always', stage: 'admit' },
  'read-entries': { parts: ['read-entries'], mark: 'asked', stage: 'decide' },
  'commit-entries': { parts: ['commit-entries'], mark: 'asked', stage: 'apply' },
  'charge-token-request': { parts: ['gcra', 'charge-token-request'], mark: 'always', stage: 'admit' },
  'note-token-failure': { parts: ['gcra', 'note-token-failure'], mark: 'always', stage: 'admit' },
  'claim-registration': { parts: ['claim-registration'], mark: 'always', stage: 'decide' },
  'claim-transition': { parts: ['claim-transition'], mark: 'always', stage: 'decide' },
  'release-claim': { parts: ['release-claim'], mark: 'always', stage: 'decide' },
  'apply-devices': { parts: ['merge-device', 'apply-devices'], mark: 'asked', stage: 'apply' },
  'offer-positions': { parts: ['newer', 'offer-positions'], stage: 'apply' },
  'offer-traceables': { parts: ['newer', 'offer-traceables'], stage: 'apply' },
  'find-position': { parts: ['find-position'], mark: 'always', stage: 'admit' },
  'find-fleet': { parts: ['find-fleet'], mark: 'always', stage: 'admit' },
  'claim-rebuild': { parts: ['claim-rebuild'], stage: 'apply' },
  'holds-rebuild': { parts: ['holds-rebuild'], stage: 'apply' },
  'mark-shards': { parts: ['mark-shards'], stage: 'apply' },
  'put-field': { parts: ['put-field'], stage: 'apply' },
  'apply-party': { parts: ['apply-client'], stage: 'apply' },
  'merge-command': { parts: ['merge-command'], mark: 'asked', stage: 'apply' },
  'merge-command-result': { parts: ['merge-command-result'], stage: 'apply' },
  'note-monitoring': { parts: ['note-monitoring'], stage: 'apply' },
  'note-telemetry-request': { parts: ['note-telemetry-request'], stage: 'apply' },
  'apply-authorization-call': { parts: ['apply-authorization-call'], stage: 'apply' },
  'take-due': { parts: ['take-due'], mark: 'always', stage: 'decide' },
  'settle-due-call': { parts: ['settle-due-call'], stage: 'apply' },
  'load-authorization': { parts: ['load-authorization'], mark: 'always', stage: 'decide' },
  'claim-authorization': { parts: ['claim-authorization'], mark: 'always', stage: 'decide' },
  'release-authorization': { parts: ['release-authorization'], mark: 'always', stage: 'decide' },
  'apply-authorization': { parts: ['apply-authorization'], mark: 'asked', stage: 'apply' },
  'claim-shipments': { parts: ['claim-shipments'], mark: 'always', stage: 'decide' },
  'confirm-shipments': { parts: ['confirm-shipments'], mark: 'always', stage: 'decide' },
  'load-journeys': { parts: ['load-journeys'], mark: 'asked', stage: 'apply' },
  'put-journeys': { parts: ['put-journeys'], stage: 'apply' },
  'personal-keys': { parts: ['personal-keys'], mark: 'always', stage: 'decide' },
  'apply-personal-keys': { parts: ['apply-personal-keys'], stage: 'apply' },
  'open-feed': { parts: ['open-feed'], stage: 'apply' },
  'queue-feed': { parts: ['queue-feed'], stage: 'apply' },
  'cancel-feed': { parts: ['cancel-feed'], stage: 'apply' },
  'advance-feed': { parts: ['advance-feed'], stage: 'apply' },
  'note-poll': { parts: ['note-poll'], stage: 'apply' },
  'load-feed': { parts: ['load-feed'], mark: 'always', stage: 'decide' },
  'claim-lease': { parts: ['claim-lease'], stage: 'apply' },
  'keep-lease': { parts: ['keep-lease'], stage: 'apply' },
  'clear-pending-insert': { parts: ['clear-pending-insert'], stage: 'insert' },
} as const satisfies Record<string, ScriptRow>;

/** The name of a script in `scripts/`. */
export type ScriptName = keyof typeof SCRIPTS;

/**
 * Runs a script by its digest. Rejects with `Unavailable` `state_unavailable` or `state_not_ready`,
 * never repeats by itself: whoever calls knows whether repeating is right.
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
  for (const name of Object.keys(SCRIPTS) as ScriptName[]) texts.set(name, load(name));

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
    let code = 'ok';
    try {
      if (needsMark(name, args) && !incarnation.isTrusted()) {
        await incarnation.require(SCRIPTS[name].stage);
      }
      passStep('redis.before', name);
      const reply = await call(name, [keys.length, ...keys, ...args]);
      passStep('redis.after', name);
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
