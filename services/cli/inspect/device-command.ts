import { example, wholeFrom } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { StoredDevice } from '../../kernel/devices.ts';
import type { LastFix } from '../../kernel/fixes.ts';
import { readOverflow } from '../../kernel/read-overflow.ts';
import { readClients } from '../client/log.ts';
import {
  deviceInLog, deviceInState, differences, type DeviceInLog,
} from './device.ts';
import { isoOf } from './facts.ts';
import { lastIngests } from './ingests.ts';
import { deadLettersOfKey, problemsOfDeadLetters } from './dead-letters-of-key.ts';
import { linesOf } from './lines.ts';
import { oddFixesOf } from './odd-fixes.ts';
import { problemsOfSeen, seenIn, type Seen } from './state.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { noun } from '../noun.ts';
import { readerOfKey } from '../watch/tail.ts';
import { windowFrom } from '../watch/window.ts';

interface DeviceOptions {
  readonly records: number;
  readonly window: number;
}

const DAY_MS = 86_400_000;

/** What looking at a device takes. */
export type InspectDevicePorts = Pick<
  OperatorPorts,
  'watch' | 'rangeReader' | 'reader' | 'clock' | 'digest' | 'inspectState' | 'oddFixes'
>;

interface InState {
  readonly device: StoredDevice | undefined;
  readonly lastFix: LastFix | undefined;
}

/**
 * `rastro device ID`: what log and state store know about one device, what it sent last and what of
 * it could not be applied. Exit code 1 when something is wrong with it, 3 when it is unknown.
 */
export const deviceCommand = noun<InspectDevicePorts>((command, does) => {
  example(command
    .description('One device: its owner, its state in log and state store (REDIS_URL), its last'
      + ' fix, what it sent last, its odd fixes (CLICKHOUSE_URL), and its dead letters. Names of'
      + ' entities stay sealed.')
    .argument('<id>', 'id of the device')
    .option('--records <n>', 'reads at most so many of the newest records of its partition',
      wholeFrom(1), 5_000)
    .option('--window <time>', 'only records of the last time, such as 2h or 7d (default 1d)',
      windowFrom, DAY_MS)
    .action(does(inspectDevice)),
  'rastro device 01890f4e-0000-7000-8000-000000000000',
  'Exit codes: 0 found and in order, 1 something is wrong with it, 2 wrong use, 3 not found.');
});

async function inspectDevice(
  ports: InspectDevicePorts, deviceId: string,
  { records: recordsMax, window: spanMs }: DeviceOptions,
): Promise<Report> {
  const nowMs = ports.clock.nowMs();
  const reader = readerOfKey(ports, deviceId);
  const logged = await deviceInLog(reader, deviceId);
  const { seen } = logged;
  const owner = seen === undefined ? undefined
    : (await readClients(ports.reader)).get(seen.owner);
  const state = await stateOf(ports, deviceId, seen?.owner);
  const deadLetters = await deadLettersOfKey(reader, ports.digest, deviceId);
  const decided = (await readOverflow(reader, TOPICS.overflow.name)).devices.get(deviceId);
  const problems = [
    ...problemsOf(logged, state), ...problemsOfDeadLetters(deadLetters), ...problemsOfSeen(state),
  ];
  const value = {
    device_id: deviceId,
    ...seen,
    ...(owner === undefined ? {} : { owner_name: owner.name, providers: owner.providers }),
    state: stateShown(state),
    last_fix: fixShown(state, nowMs),
    lifecycle: logged.lifecycle,
    overflow: decided?.state === 'in' ? isoOf(decided.at_ms) : null,
    ingests: await lastIngests(ports, deviceId, { sinceMs: nowMs - spanMs, recordsMax }),
    odd_fixes: await oddFixesOf(ports.oddFixes, deviceId, nowMs - spanMs, nowMs),
    dead_letters: deadLetters,
    problems,
  };
  const isKnown = seen !== undefined || deadLetters.length > 0;
  return { value, lines: linesOf(value), exitCode: !isKnown ? 3 : problems.length > 0 ? 1 : 0 };
}

function stateOf(
  { inspectState }: InspectDevicePorts, deviceId: string, owner: string | undefined,
): Promise<Seen<InState>> {
  // The store keeps a device with its owner, which the log knows.
  if (owner === undefined) return Promise.resolve({ kind: 'not_asked' });
  return seenIn(inspectState, async ({ devices, lastFixes }) => {
    const device = await devices.load(owner, deviceId);
    return { device, lastFix: await lastFixes.find(owner, deviceId) };
  });
}

function stateShown(state: Seen<InState>): object {
  if (state.kind !== 'seen') return state;
  const device = state.value?.device;
  if (device === undefined) return { kind: 'missing' };
  return {
    kind: 'seen', ...deviceInState(device),
    last_updated_at: isoOf(device.last_updated_ms),
    ...(device.stop_unconfirmed === true ? { stop_unconfirmed: true } : {}),
  };
}

function fixShown(state: Seen<InState>, nowMs: number): object | null {
  const lastFix = state.kind === 'seen' ? state.value?.lastFix : undefined;
  if (lastFix === undefined) return null;
  const { timestamp, latitude, longitude, country_id, provider, received_at_ms } = lastFix;
  return {
    at: isoOf(timestamp * 1_000),
    age_seconds: Math.max(0, Math.round(nowMs / 1_000 - timestamp)),
    received_at: isoOf(received_at_ms), latitude, longitude, country_id, provider,
  };
}

function problemsOf({ seen }: DeviceInLog, state: Seen<InState>): readonly string[] {
  if (seen === undefined) return ['The log knows no registration of it.'];
  if (state.kind !== 'seen') return [];
  const device = state.value?.device;
  if (device === undefined) return ['The state store does not know it, the log does.'];
  const different = differences(seen, deviceInState(device));
  return [
    ...(different.length === 0 ? [] : [
      `Log and state store differ in ${different.join(', ')}: repeat this, then rastro rebuild redis.`,
    ]),
    ...(device.stop_unconfirmed === true
      ? ['A stop denies it, but is not in the log: its caller must stop it again.'] : []),
  ];
}
