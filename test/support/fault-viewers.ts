import { TOPIC } from '../faults/checker/topics.ts';
import type { LooseFields, SeenView } from '../faults/checker/evidence.ts';
import {
  aLocation, append, aTry, aView, CLIENT_IDS, rowOf, type Draft,
} from './fault-draft.ts';

const OWNER = { client_id: CLIENT_IDS['provider-2'] ?? '', provider: 'globex' };
const DEVICE = { device_id: 'dev-9', client_id: OWNER.client_id };
const ENTITY = { entity_type: 'van', entity_id: 'v9', transport_id: 8 };
const FACTS: readonly LooseFields[] = [
  { type: 'DeviceRegistered', epoch: 1, at_ms: 1, generation: 1, ...DEVICE, ...ENTITY },
  { type: 'DeviceTrackingStarted', epoch: 2, at_ms: 2, ...DEVICE },
];

/** The row of the device that goes on, as it must be in the end. */
export const LAST_ROW: readonly unknown[] = ['dev-9', 1_764_000_000, 1.5, 2.5, null, null, null];
const STOPPED_ROW: readonly unknown[] = ['dev-1', 1_764_000_000, 1.5, 2.5, null, null, null];

/**
 * A device of a second provider that goes on, and what two viewers got: the platform the map, from
 * which the device of the first provider leaves, and the provider its facts, by two calls.
 */
export function addViewers(run: Draft): void {
  addMovingDevice(run);
  run.run = {
    ...run.run,
    live: {
      viewers: [
        { name: 'map', feed: 'fixes', owner: null },
        { name: 'facts', feed: 'facts', owner: OWNER },
      ],
      seen_until_ns: '20000000000',
    },
  };
  run.views.push(
    aView('map', 15, { event: 'answer', status: 200, begins: true }),
    aView('map', 60, fixesCame([[...STOPPED_ROW, 'acme', CLIENT_IDS['provider-1']]])),
    aView('map', 205, fixesCame([], ['dev-1'])),
    aView('map', 210, { event: 'end' }),
    aView('map', 700, { event: 'answer', status: 200 }),
    aView('map', 701, fixesCame([[...LAST_ROW, 'globex', OWNER.client_id]])),
    aView('facts', 15, { event: 'answer', status: 200, begins: true }),
    aView('facts', 16, { event: 'mark', data: { at_ms: 1 } }),
    aView('facts', 222, facts(0)),
    aView('facts', 223, { event: 'end' }),
    aView('facts', 700, { event: 'answer', status: 200 }),
    aView('facts', 701, facts(1)),
  );
}

/** An event with fixes that came. */
export function fixesCame(rows: readonly unknown[], gone: readonly string[] = []) {
  return { event: 'positions', data: { 'positions': rows, gone } } as const;
}

/** A reset of a viewer at a time of the run. */
export function reset(viewer: string, at: number, reason: string): SeenView {
  return aView(viewer, at, { event: 'reset', data: { reason } });
}

/** An event of facts about the device that goes on, by their places in the log. */
export function facts(...which: readonly number[]) {
  return { event: 'facts', data: { facts: which.map((nth) => ({
    kind: 'device', record_id: `AbC:1:${nth}`, recorded_at_ms: 1, fact: FACTS[nth],
  })) } } as const;
}

function addMovingDevice(run: Draft): void {
  const client = 'provider-2';
  const args = { device_id: 'dev-9', token_sha256: `token-${client}`, provider: OWNER.provider };
  const headers = { client: OWNER.client_id, 'received-at': String(run.run.epoch.at_ms) };
  for (const fact of FACTS) append(run, TOPIC.lifecycle, 'dev-9', fact, { partition: 1 });
  const item = aLocation('m20', 'dev-9');
  append(run, TOPIC.locations, 'dev-9', { locations: [item.content] }, { partition: 1, headers });
  run.rows.push({ ...rowOf(item), client_id: OWNER.client_id, provider: OWNER.provider });
  run.tries.push(
    aTry('register', { at: 220, client, status: 201, args: ENTITY, body: { id: 'dev-9' } }),
    aTry('start', { at: 224, client, status: 200, args, body: { id: 'dev-9' } }),
    aTry('send-locations', { at: 230, client, args, items: [item] }),
  );
  run.state.set('{s01}:device:dev-9', {
    owner: OWNER.client_id, epoch: '2', transport_id: '8', date_created_ms: '1',
  });
  run.state.set('{s01}:last-fix:dev-9', {
    timestamp: '1764000000',
    fix: JSON.stringify({ timestamp: 1_764_000_000, latitude: 1.5, longitude: 2.5 }),
  });
}
