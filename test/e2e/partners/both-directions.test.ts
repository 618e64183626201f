import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystQuery } from '../../../infra/local/demo/run-demo.ts';
import { ALL_GRANTS } from '../../../infra/local/processes/demo-client.ts';
import { firstToken } from '../../../infra/local/processes/first-token.ts';
import { DATABASE, startLocalStack, type LocalStack } from '../../../infra/local/processes/local-stack.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { openOperator, type OperatorConfig } from '../../../services/cli/assemble.ts';
import { authorizationCommand } from '../../../services/cli/authorization/command.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { runPartner, type Partner } from '../../partners/run-partner.ts';
import { freeBlock } from '../../support/free-block.ts';

const START_MS_MAX = 180_000;
const STORED_MS_MAX = 90_000;
const CARRIER_CLIENT = '700000000000001';
const TRANSPORT = { id: 9_100_017, license_plate: 'PY-17', country_id: 'US' };

/** The stack is this test's own, whatever the run uses. */
const FOREIGN = /^(KAFKA_|REDIS_|CLICKHOUSE_|ANALYST_|SCHEMA_REGISTRY_URL)/;

let dir: string;
let local: LocalStack;
const partners: Partner[] = [];

beforeAll(async () => {
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  dir = mkdtempSync(join(tmpdir(), 'rastro-partners-'));
  local = await startLocalStack({
    dir, port: await freeBlock(), grants: ALL_GRANTS, log: () => undefined,
  });
  const { clientId, clientSecret, provider } = local.identity;
  partners.push(await runPartner('provider', {
    PORT: String(local.ports.provider), COMMAND_TOKEN: local.secrets.commandToken,
    BASE_URL: local.url, RTT_URL: local.url, PROVIDER: provider,
    CLIENT_ID: clientId, CLIENT_SECRET: clientSecret,
  }));
  partners.push(await runPartner('carrier', {
    CLIENT_ID: CARRIER_CLIENT, CLIENT_SECRET: local.secrets.commandToken,
  }));
  await firstToken(local);
}, START_MS_MAX);

afterAll(async () => {
  for (const partner of partners) await partner.close();
  await local.close();
  rmSync(dir, { recursive: true, force: true });
}, 60_000);

describe('a provider that was written from the interface alone', () => {
  it('is commanded by the platform, and its locations and answers arrive', async () => {
    const query = analystQuery(local);
    const rows = (sql: string) => query<Readonly<Record<string, string>>>(sql);
    const id = Buffer.from('python asked').toString('base64');
    await command({ command: 'start_tracking', transport: TRANSPORT });
    await command({
      command: 'process_telemetry_events', id, transport: TRANSPORT,
      travel: { init_date: '2026-11-20T10:00:00Z', end_date: '2026-11-20T11:00:00Z' },
    });
    await stored(async () => (await rows(
      `SELECT device_id FROM ${DATABASE}.v_locations WHERE transport_id = ${TRANSPORT.id}`,
    )).length === 3, 'Three locations of the provider');
    await stored(async () => (await rows(
      `SELECT request_id FROM ${DATABASE}.v_deferred_answers WHERE request_id = '${id}'`,
    )).length === 1, 'The answer to process_telemetry_events');
    const [{ device_id } = {}] = await rows(
      `SELECT DISTINCT device_id FROM ${DATABASE}.v_locations WHERE transport_id = ${TRANSPORT.id}`,
    );
    await command({ command: 'stop_tracking', transport: TRANSPORT });
    await stored(async () => (await ask(`/shipping/rtt/devices/${device_id ?? ''}`)).status
      === 'inactive', 'The stop of the device');
  }, 2 * STORED_MS_MAX);
});

describe('a carrier that was written from the interface alone', () => {
  it('is asked by the platform for an authorization, with its own tokens, and gives a number', async () => {
    const url = partners[1]?.url ?? '';
    const added = await operate(partyCommand, [
      'add', '--kind', 'carrier', '--name', 'Python', '--url', url, '--auth', 'client-credentials',
      '--token-url', `${url}/oauth/token`, '--auth-client', CARRIER_CLIENT,
      '--audience', 'authorizations',
    ]) as { readonly party_id: string };
    const sent = await operate(authorizationCommand, [
      'send', added.party_id, '--body', JSON.stringify({ id: 55_501, transport_order_id: 'py-1' }),
    ]) as { readonly call_id: string };
    let shown: { readonly state?: string; readonly tracking_number?: string } = {};
    await stored(async () => {
      shown = await operate(authorizationCommand, ['show', sent.call_id]) as typeof shown;
      return shown.state !== 'queued';
    }, 'The answer of the carrier');
    expect(shown.tracking_number).toMatch(/^PY\d{12}$/);
  }, 2 * STORED_MS_MAX);
});

function stored(isThere: () => Promise<boolean>, what: string): Promise<unknown> {
  return waitFor(isThere, { what, deadlineMs: STORED_MS_MAX, everyMs: 500 });
}

async function command(body: object): Promise<void> {
  const identity = { ...local.identity, ...local.platform };
  const token = await firstToken({ url: local.url, identity });
  const path = `/platform/providers/${local.identity.provider}/commands?country_id=US`;
  let answer: readonly [status: number, text: string] = [0, ''];
  // 500 is repeated, as every caller does.
  await stored(async () => {
    const reply = await fetch(local.url + path, {
      method: 'POST', body: JSON.stringify(body),
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    });
    answer = [reply.status, await reply.text()];
    return reply.status !== 500;
  }, 'An answer to the command');
  expect(answer).toEqual([202, expect.any(String)]);
}

async function ask(path: string): Promise<{ readonly status?: unknown }> {
  const token = await firstToken(local);
  const answer = await fetch(`${local.url}${path}?country_id=US`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return await answer.json() as { readonly status?: unknown };
}

async function operate(
  run: typeof partyCommand, args: readonly string[],
): Promise<unknown> {
  const config: OperatorConfig = { ...local.operator, personalKey: local.secrets.personalKey };
  const { ports, close } = await openOperator(config, silentSignals);
  try {
    const { value, lines, exitCode } = await run(ports, args);
    expect([exitCode, lines]).toEqual([0, lines]);
    return value;
  } finally {
    await close();
  }
}
