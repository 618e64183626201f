import type { FixOffer, GeoBox, LastFix, LastFixes } from '../kernel/fixes.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { deviceKey } from './device-directory.ts';
import { toDeviceState } from './device-fields.ts';
import { jsonIn } from './entries.ts';
import { READY } from './fold-facts.ts';
import { transact } from './transact.ts';

const DEVICES: StateKey = { shard: 0, kind: 'sandbox', id: 'fixes' };
const STOPPED = 3;

/**
 * Last fixes of a sandbox client, as entries of its store: the real ones have scripts that know
 * their own keys alone. Of fixes at one second the later call counts.
 */
export function createSandboxFixes(store: StateStore): LastFixes {
  async function read(keys: readonly StateKey[]): Promise<readonly StateFields[]> {
    if (keys.length === 0) return [];
    return (await store.read(keys, READY)).entries.map(({ fields }) => fields);
  }

  return {
    async offer(offers) {
      for (const { recordId: _, ...fix } of offers) await keep(store, fix);
    },
    erase: () => Promise.reject(new Error('Nothing is erased in a sandbox; it goes on its own.')),
    async find(clientId, deviceId) {
      const [fields = new Map<string, string>()] = await read([fixKey(deviceId)]);
      const fix = jsonIn<LastFix>(fields, 'fix');
      return fix?.client_id === clientId ? fix : undefined;
    },
    async findWithin(clientId, box, after, limit) {
      const members = await store.readMembers([DEVICES], {
        order: 'rising', max: limit + 1,
        after: after && { score: after.score, member: after.device_id },
      });
      const ids = members.slice(0, limit).map(({ member }) => member);
      const fixes = await read(ids.map(fixKey));
      const devices = await read(ids.map((id) => deviceKey(clientId, id)));
      const last = ids.at(-1);
      return {
        fixes: fixes.flatMap((fields, at) => {
          const fix = jsonIn<LastFix>(fields, 'fix');
          const isStopped = toDeviceState(devices[at] ?? new Map())?.stage === STOPPED;
          return fix === undefined || isStopped || !isWithin(box, fix) ? [] : [fix];
        }),
        next: members.length > limit && last !== undefined
          ? { score: 0, device_id: last } : undefined,
      };
    },
    isComplete: () => Promise.resolve(true),
    markComplete: () => Promise.resolve(false),
  };
}

async function keep(store: StateStore, fix: Omit<FixOffer, 'recordId'>): Promise<void> {
  const key = fixKey(fix.device_id);
  await transact(store, READY, {
    keys: [key],
    decide([entry]) {
      const { version = 0, fields = new Map<string, string>() } = entry ?? {};
      const kept = jsonIn<LastFix>(fields, 'fix');
      if (kept !== undefined && kept.timestamp > fix.timestamp) return { result: undefined };
      const members = kept === undefined
        ? [{ key: DEVICES, addNew: [{ member: fix.device_id, score: 0 }] }] : [];
      const set = { fix: JSON.stringify(fix) };
      return {
        result: undefined, transaction: { entries: [{ key, version, set }], members },
      };
    },
  });
}

function fixKey(deviceId: string): StateKey {
  return { shard: 0, kind: 'sandbox', id: `fix:${deviceId}` };
}

function isWithin(box: GeoBox, { latitude, longitude }: LastFix): boolean {
  const { min_longitude: west, max_longitude: east } = box;
  if (latitude < box.min_latitude || latitude > box.max_latitude) return false;
  return west > east
    ? longitude >= west || longitude <= east
    : longitude >= west && longitude <= east;
}
