import { parseArgs } from 'node:util';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { StoredDevice } from '../../kernel/devices.ts';
import type { LastPosition } from '../../kernel/positions.ts';
import { readQuarantine } from '../../kernel/quarantine.ts';
import { readClients } from '../client/log.ts';
import {
  deviceInLog, deviceInState, differences, type DeviceInLog,
} from './device.ts';
import { isoOf } from './facts.ts';
import { lastIngests } from './ingests.ts';
import { lettersOfKey, problemsOfLetters } from './dead-letters-of-key.ts';
import { linesOf } from './lines.ts';
import { problemsOfSeen, seenIn, type Seen } from './state.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { misuse } from '../usage.ts';
import { readerOfKey } from '../watch/tail.ts';
import { countOf, windowMs } from '../watch/window.ts';

const OPTIONS = {
  records: { type: 'string', default: '5000' },
  window: { type: 'string', default: '1d' },
} as const;

/** What looking at a device takes. */
export type DevicePorts = Pick<
  OperatorPorts, 'watch' | 'stretches' | 'reader' | 'clock' | 'digest' | 'lookAtState'
>;

interface InState {
  readonly device: StoredDevice | undefined;
  readonly position: LastPosition | undefined;
}

/**
 * `rastro device ID`: what log and state store know about one device, what it sent last and what of
 * it could not be applied. Exit code 1 when it is unknown or something is wrong with it.
 */
export async function deviceCommand(
  ports: DevicePorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [deviceId, ...more] = positionals;
  if (deviceId === undefined || more.length > 0) return misuse('Say which device, by its id.');
  const [recordsMax, spanMs] = [countOf(values.records), windowMs(values.window)];
  if (recordsMax === undefined) return misuse('--records takes a whole number of at least 1.');
  if (spanMs === undefined) return misuse('--window takes a time such as 30s, 5m or 2h.');
  const nowMs = ports.clock.nowMs();
  const reader = readerOfKey(ports, deviceId);
  const logged = await deviceInLog(reader, deviceId);
  const { seen } = logged;
  const owner = seen === undefined ? undefined
    : (await readClients(ports.reader)).get(seen.owner);
  const state = await stateOf(ports, deviceId, seen?.owner);
  const letters = await lettersOfKey(reader, ports.digest, deviceId);
  const decided = (await readQuarantine(reader, TOPICS.quarantine.name)).get(deviceId);
  const problems = [
    ...problemsOf(logged, state), ...problemsOfLetters(letters), ...problemsOfSeen(state),
  ];
  const value = {
    device_id: deviceId,
    ...seen,
    ...(owner === undefined ? {} : { owner_name: owner.name, providers: owner.providers }),
    state: toldState(state),
    position: toldPosition(state, nowMs),
    lifecycle: logged.lifecycle,
    quarantine: decided?.state === 'in' ? isoOf(decided.at_ms) : null,
    ingests: await lastIngests(ports, deviceId, { sinceMs: nowMs - spanMs, recordsMax }),
    letters,
    problems,
  };
  return { value, lines: linesOf(value), exitCode: problems.length > 0 ? 1 : 0 };
}

function stateOf(
  { lookAtState }: DevicePorts, deviceId: string, owner: string | undefined,
): Promise<Seen<InState>> {
  // Everything about a device lies with its owner, who is known from the log.
  if (owner === undefined) return Promise.resolve({ kind: 'not_asked' });
  return seenIn(lookAtState, async ({ devices, positions }) => {
    const device = await devices.load(owner, deviceId);
    return { device, position: await positions.find(owner, deviceId) };
  });
}

function toldState(state: Seen<InState>): object {
  if (state.kind !== 'seen') return state;
  const device = state.value?.device;
  if (device === undefined) return { kind: 'missing' };
  return {
    kind: 'seen', ...deviceInState(device),
    last_updated_at: isoOf(device.last_updated_ms),
    ...(device.stop_unconfirmed === true ? { stop_unconfirmed: true } : {}),
  };
}

function toldPosition(state: Seen<InState>, nowMs: number): object | null {
  const position = state.kind === 'seen' ? state.value?.position : undefined;
  if (position === undefined) return null;
  const { timestamp, latitude, longitude, country_id, provider, received_at_ms } = position;
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
      `Log and state store differ in ${different.join(', ')}: look again, then rastro rebuild redis.`,
    ]),
    ...(device.stop_unconfirmed === true
      ? ['A stop denies it, but is not in the log: its caller must stop it again.'] : []),
  ];
}
