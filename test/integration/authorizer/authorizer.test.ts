import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { createIds, systemClock, systemPause } from '../../../services/adapters/system/system.ts';
import {
  authorizeShipment,
} from '../../../services/gateways/authorization/operations/authorize-shipment.ts';
import type {
  AuthorizationAsked, AuthorizationTried,
} from '../../../services/kernel/authorization-calls.ts';
import type { PartyRecorded } from '../../../services/kernel/parties.ts';
import type { Signals } from '../../../services/kernel/signals.ts';
import { anAsk } from '../../support/authorization-facts.ts';
import { logInto, runAuthorizer, type AuthorizerSpec } from '../../support/authorizer-run.ts';
import { aParty } from '../../support/command-facts.ts';
import { TEST_VAULT_KEY } from '../../support/command-sender-run.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from '../../support/edge.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { stackEnv } from '../../support/stack.ts';
import { tinyProvider, type AnswerScript, type TinyAnswer } from '../../support/tiny-provider.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { sha256 } from '../../support/state-facts.ts';

const CHILD = resolve(import.meta.dirname, '..', '..', 'support', 'authorizer-main.ts');
const FAST = { pollMs: 20, busyMs: 20 };
const RETRY = { tries_max: 10, first_wait_seconds: 0.05, wait_seconds_max: 0.2 };

interface AskedCarrier {
  readonly path: string;
  readonly token: string;
  readonly body: { readonly transport_order_id: string };
}

const closers: (() => unknown)[] = [];
let states: OpenedRedis;
let log: KafkaLog;
let edge: Edge;
const topic = testTopic(4);

beforeEach(async () => {
  const { KAFKA_BROKERS } = stackEnv();
  states = await openRedisStates();
  closers.push(() => states.close());
  log = openLog('platformatic', KAFKA_BROKERS, [topic]);
  closers.push(() => log.close(wallClock.nowMs()));
  await log.admin.ensureTopics([topic], 1);
  edge = await openCarrier();
  closers.push(() => edge.close());
});
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close(); });

/** The carrier's side as we ship it, on the real state store and log. */
async function openCarrier(): Promise<Edge> {
  const ports = {
    log: logInto(topic, log.recordLog), states: states.authorizations,
    shipments: states.shipments, clock: systemClock, pause: systemPause,
    ids: createIds(systemClock), personal: fakePersonal(), digest: sha256,
    numbers: sha256,
  };
  const opened = await openEdge({
    operations: [authorizeShipment({
      raceWaitMsMax: 2_000, racePollMs: 10, carrierClientId: undefined,
      contractsRequiringAgency: [],
    }, ports)],
  });
  opened.admit({
    ...GOOD_FACTS, device: undefined,
    caller: {
      clientId: '100000000000042', userId: 'u', audience: 'authorizations',
      scopes: ['authorizations'], providers: [],
    },
  });
  return opened;
}

/** Makes the carrier known as a party, directly or behind a script that may spoil its answers. */
async function aCarrier(
  script?: (answer: () => Promise<TinyAnswer>, count: number) => ReturnType<AnswerScript>,
  change: Partial<PartyRecorded> = {},
): Promise<{ name: string; calls: readonly AskedCarrier[] }> {
  const front = script === undefined ? undefined : await tinyProvider<AskedCarrier>(
    ({ path, body }, count) => script(async () => {
      const answer = await edge.post(JSON.stringify(body), { path });
      return { status: answer.status, body: await answer.text() };
    }, count),
  );
  if (front !== undefined) closers.push(() => front.close());
  const name = `carrier-${randomUUID()}`;
  const { provider: _, ...party } = aParty({
    party_id: name, kind: 'carrier', base_url: front?.url ?? edge.url, retry: RETRY,
    authentication: {
      kind: 'static', sealed_token: createVault(TEST_VAULT_KEY).seal(EDGE_TOKEN),
    },
    ...change,
  });
  await states.parties.apply(party);
  return { name, calls: front?.calls ?? [] };
}

function spec(config: AuthorizerSpec['config'] = {}, requestMsMax = 700): AuthorizerSpec {
  const { KAFKA_BROKERS: brokers } = stackEnv();
  return {
    client: 'platformatic', brokers, redisUrl: states.address, topic,
    requestMsMax, config: { ...FAST, ...config },
  };
}

async function start(
  config: AuthorizerSpec['config'] = {}, signals?: Signals, requestMsMax?: number,
): Promise<void> {
  const running = await runAuthorizer(spec(config, requestMsMax), signals);
  closers.push(() => running.stop());
}

function startProcess(config: AuthorizerSpec['config']): ChildProcess {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(spec(config))], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const gone = new Promise((done) => { child.once('exit', done); });
  closers.push(() => {
    child.kill('SIGKILL');
    return gone;
  });
  return child;
}

async function ask(carrier: string): Promise<AuthorizationAsked> {
  const asked = anAsk(randomUUID(), { carrier });
  await states.authorizationCalls.apply([asked]);
  return asked;
}

/** The facts of a type that the log has about one transport order. */
async function factsOf<Fact extends { type: string; transport_order_id: string }>(
  type: Fact['type'], { transport_order_id }: AuthorizationAsked,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  await log.reader.readToEnd([topic.name], async (records) => {
    for (const record of records) {
      if ('value' in record) facts.push(JSON.parse(String(record.value)) as Fact);
    }
  });
  return facts.filter((fact) =>
    fact.type === type && fact.transport_order_id === transport_order_id);
}

const triesOf = (asked: AuthorizationAsked) =>
  factsOf<AuthorizationTried>('AuthorizationTried', asked);
const lastOf = async (asked: AuthorizationAsked) =>
  (await states.authorizationCalls.load(asked.call_id))?.tried;
const outcomeOf = async (asked: AuthorizationAsked) => (await lastOf(asked))?.outcome;

describe('the authorizer and a carrier', () => {
  it('[AUTH-54] gets a tracking number from our own endpoint, into the log and the store', async () => {
    await start();
    const asked = await ask((await aCarrier()).name);
    await expect.poll(() => outcomeOf(asked), { timeout: 10_000 }).toBe('authorized');
    const [tried] = await triesOf(asked);
    expect(tried).toEqual(await lastOf(asked));
    expect(tried?.answer).toMatchObject({
      status: 'AUTHORIZED', tracking_number: tried?.tracking_number,
    });
    expect(tried?.tracking_number).toMatch(/\S/);
  });

  it('[AUTH-45] asks again after every kind of failure, waiting as was agreed', async () => {
    const failures: TinyAnswer[] = [
      500, 'hang', 'cut', 429, { status: 200, body: 'no json' },
      { status: 200, body: '{"status":"AUTHORIZED"}' }, { status: 307, headers: { location: '/' } },
      { status: 200, body: `{"x":"${'x'.repeat(70_000)}"}` },
    ];
    const { name, calls } = await aCarrier(
      (answer, count) => failures[count - 1] ?? answer(),
    );
    await start();
    const asked = await ask(name);
    await expect.poll(() => outcomeOf(asked), { timeout: 20_000 }).toBe('authorized');
    const tries = await triesOf(asked);
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(tries.map(({ outcome }) => outcome))
      .toEqual([...failures.map(() => 'retry'), 'authorized']);
    const waits = tries.slice(0, -1)
      .map(({ at_ms, next_attempt_at_ms = 0 }) => next_attempt_at_ms - at_ms);
    expect(waits).toEqual([50, 100, 200, 200, 200, 200, 200, 200]);
    expect(new Set(calls.map(({ body }) => body.transport_order_id)).size).toBe(1);
  });

  it('[AUTH-46] parks after the tenth failure with an alarm, and asks no more', async () => {
    const alarms: string[] = [];
    const { name, calls } = await aCarrier(() => 500);
    await start({}, fakeSignals({
      line: (level, event) => { if (level === 'error') alarms.push(event); },
    }));
    const asked = await ask(name);
    await expect.poll(() => outcomeOf(asked), { timeout: 20_000 }).toBe('parked');
    expect(alarms).toEqual(['authorization_parked']);
    expect(calls).toHaveLength(10);
    expect(await states.authorizationCalls.takeDue(Date.now() + 86_400_000, 1, 10)).toEqual([]);
  });

  it('[AUTH-04] gets the same number again when the answer was lost or the process killed', async () => {
    let kill: () => void = () => undefined;
    const { name, calls } = await aCarrier(async (answer, count) => {
      const given = await answer();
      if (count === 1) return 'cut';
      if (count > 2) return given;
      kill();
      return 'hang';
    });
    const asked = await ask(name);
    const first = startProcess({ leaseMs: 1_500 });
    kill = () => first.kill('SIGKILL');
    await expect.poll(() => first.signalCode, { timeout: 20_000 }).toBe('SIGKILL');
    await start({ leaseMs: 1_500 });
    await expect.poll(() => outcomeOf(asked), { timeout: 20_000 }).toBe('authorized');
    expect(calls).toHaveLength(3);
    const given = await factsOf<{
      type: 'ShipmentAuthorized'; transport_order_id: string; tracking_number: string;
    }>('ShipmentAuthorized', asked);
    expect(given.map(({ tracking_number }) => tracking_number))
      .toEqual([(await lastOf(asked))?.tracking_number]);
  });

  it('two at once ask once for each call', async () => {
    const { name, calls } = await aCarrier((answer) => answer());
    // A slow machine must not look like a carrier that is slow: that one is asked again.
    const patient = () => start({ leaseMs: 20_000 }, undefined, 15_000);
    await Promise.all([patient(), patient()]);
    const asks = await Promise.all(Array.from({ length: 40 }, () => ask(name)));
    await expect.poll(async () => (await Promise.all(asks.map(outcomeOf)))
      .every((outcome) => outcome === 'authorized'), { timeout: 20_000 }).toBe(true);
    const ids = calls.map(({ body }) => body.transport_order_id);
    expect(ids.toSorted()).toEqual(asks.map((each) => each.transport_order_id).toSorted());
    const ends = await Promise.all(asks.map(lastOf));
    expect(new Set(ends.map((end) => end?.tracking_number)).size).toBe(40);
  });
});
