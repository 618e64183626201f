import type { Evidence, LooseFields, LogEntry } from './evidence.ts';
import { fieldOf, groupBy, recordsOf, textOf } from './read-evidence.ts';
import { TOPIC } from './topics.ts';

/** A device as its facts say: its stage, and the transport of its earliest registration. */
export interface FoldedDevice {
  readonly stage: number;
  readonly owner: string;
  readonly transportId: string;
}

/** The newest trustworthy fix of a device. */
export interface FoldedFix {
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
}

const FUTURE_SECONDS = 300;
const AGE_SECONDS_MAX = 400 * 86_400;

/** Devices folded again from the log. */
export function foldDevices(evidence: Evidence): ReadonlyMap<string, FoldedDevice> {
  const facts = recordsOf(evidence, TOPIC.lifecycle).filter(({ value }) => value !== undefined);
  const devices = new Map<string, FoldedDevice>();
  for (const [id, own] of groupBy(facts, ({ value }) => textOf(value, 'device_id'))) {
    const [first] = own.filter(({ value }) => fieldOf(value, 'type') === 'DeviceRegistered')
      .sort((a, b) => Number(fieldOf(a.value, 'at_ms')) - Number(fieldOf(b.value, 'at_ms')));
    if (first === undefined) continue;
    devices.set(id, {
      stage: Math.max(...own.map(({ value }) => Number(fieldOf(value, 'epoch')))),
      owner: textOf(first.value, 'client_id'),
      transportId: textOf(first.value, 'transport_id'),
    });
  }
  return devices;
}

/** Last fixes folded again from the log: the newest one, at one second the later in the log. */
export function foldFixes(evidence: Evidence): ReadonlyMap<string, FoldedFix> {
  const newest = new Map<string, FoldedFix>();
  for (const entry of recordsOf(evidence, TOPIC.locations)) {
    for (const fix of plausibleFixes(entry)) {
      const known = newest.get(entry.key);
      if (known === undefined || fix.timestamp >= known.timestamp) newest.set(entry.key, fix);
    }
  }
  return newest;
}

function plausibleFixes({ value, headers }: LogEntry): readonly FoldedFix[] {
  const receivedAt = Number(headers['received-at']) / 1000;
  const fixes = fieldOf(value, 'locations');
  if (!Array.isArray(fixes)) return [];
  return (fixes as readonly LooseFields[]).map(({ timestamp, latitude, longitude }) => (
    { timestamp: Number(timestamp), latitude: Number(latitude), longitude: Number(longitude) }
  )).filter(({ timestamp, latitude, longitude }) => (
    timestamp <= receivedAt + FUTURE_SECONDS && timestamp >= receivedAt - AGE_SECONDS_MAX
    && (latitude !== 0 || longitude !== 0)
  ));
}
