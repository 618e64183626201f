import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldDevice, type DeviceState } from '../../../services/domain/device/projection.ts';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';
import { aClient, aRegistration, startOf, stopOf } from '../../support/state-facts.ts';
import { createHistory, record, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const CLIENT = aClient();
const BASE_MS = Date.now() - 3_600_000;
const ENTITIES = 60;
const GENERATIONS_MAX = 3;
const STATUS = ['unknown', 'registered', 'tracking', 'stopped'] as const;
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

/** Times are few, so that two facts of one step often have the same or the wrong order. */
const aStep = fc.record({
  step: fc.constantFrom('register', 'register', 'start', 'stop'),
  atMs: fc.integer({ min: 0, max: 4 }),
  transport_id: fc.constantFrom(7, 10, 987_654),
  device_specs: fc.record({
    device_type: fc.constantFrom('GPS', 'MOBILE'), brand: fc.constantFrom('Acme', 'Best'),
    model: fc.constantFrom('M1', 'M2'),
  }, { requiredKeys: [] }),
});
const aLife = fc.array(aStep, { minLength: 1, maxLength: 7 });
const anEntity = fc.array(aLife, { minLength: 1, maxLength: GENERATIONS_MAX });

type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

/** The facts of one device, in the order of the log. */
function factsOf(life: readonly Step[], generation: number): readonly DeviceEvent[] {
  const device = aRegistration(CLIENT, { generation });
  return life.map(({ step, atMs, transport_id, device_specs }): DeviceEvent => {
    const at_ms = BASE_MS + atMs;
    switch (step) {
      case 'register': return {
        ...device, transport_id, at_ms, device_specs,
      };
      case 'start': return startOf(device, at_ms);
      case 'stop': return stopOf(device, at_ms);
    }
  });
}

const inLog = (fact: DeviceEvent) => record('rtt.device-lifecycle.v1', fact.device_id, fact, {
  receivedAtMs: fact.at_ms - 5, headers: { client: fact.client_id },
});

const textOf = (ms: number | undefined): string | null => (
  ms === undefined ? null : new Date(ms).toISOString().slice(0, 23).replace('T', ' ')
);

/** A device as `v_devices` must show it. */
function rowOf(device_id: string, state: DeviceState): Readonly<Record<string, unknown>> {
  const { owner, stage, registration, date_created_ms, started_at_ms, stopped_at_ms } = state;
  const { device_type = '', brand = '', model = '' } = registration?.device_specs ?? {};
  const isTracked = started_at_ms !== undefined && stopped_at_ms !== undefined;
  return {
    device_id, client_id: owner, status: STATUS[stage],
    entity_type: registration?.entity_type ?? '', generation: String(registration?.generation ?? 0),
    transport_id: String(registration?.transport_id ?? 0),
    country_id: registration === undefined ? '' : 'BR', device_type, brand, model,
    registered_at: textOf(date_created_ms), started_at: textOf(started_at_ms),
    stopped_at: textOf(stopped_at_ms),
    tracked_s: isTracked ? (stopped_at_ms - started_at_ms) / 1_000 : null,
  };
}

/** The steps as `v_device_lifecycle` must show them. */
function stepsOf(
  device_id: string, { date_created_ms, started_at_ms, stopped_at_ms }: DeviceState,
): readonly Readonly<Record<string, unknown>>[] {
  return [
    { device_id, step: 'registered', at: textOf(date_created_ms) },
    { device_id, step: 'started', at: textOf(started_at_ms) },
    { device_id, step: 'stopped', at: textOf(stopped_at_ms) },
  ].filter(({ at }) => at !== null);
}

describe('the devices of analysts', () => {
  it('are those of the state store, whatever is repeated or out of order', async () => {
    const seed = seedOfRun();
    const lives = fc.sample(anEntity, { numRuns: ENTITIES, seed })
      .flatMap((entity) => entity.map((life, at) => factsOf(life, at + 1)));
    const records = lives.flat().map((fact) => inLog(fact));
    for (const post of postsInAnyOrder(records, seed)) {
      expect(await writePosts(history.ingest, post)).toEqual([]);
    }
    const [rows, steps] = await Promise.all([
      history.analyst.query('SELECT * FROM v_devices'),
      history.analyst.query('SELECT device_id, step, at FROM v_device_lifecycle ORDER BY step'),
    ]);
    expect(rows).toHaveLength(lives.length);
    const seen = new Map(rows.map((row) => [row['device_id'], row]));
    const seenSteps = Map.groupBy(steps, (row) => row['device_id']);
    for (const facts of lives) {
      const { device_id } = facts[0] ?? { device_id: '' };
      const state = facts.reduce<DeviceState | undefined>(foldDevice, undefined);
      if (state === undefined) throw new Error('A life without facts.');
      expect({ seed, facts, row: seen.get(device_id), steps: seenSteps.get(device_id) }).toEqual({
        seed, facts, row: rowOf(device_id, state), steps: stepsOf(device_id, state),
      });
    }
  });
});
