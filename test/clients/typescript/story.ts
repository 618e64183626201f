/** The story of test/clients/README.md, by types of openapi-typescript and calls of openapi-fetch. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];

const url = setting('RASTRO_URL');
const provider = setting('RASTRO_PROVIDER');
const country_id = setting('RASTRO_COUNTRY');
const transportId = Number(setting('RASTRO_TRANSPORT'));
const now = Math.floor(Date.now() / 1000);

const basic = Buffer.from(`${setting('RASTRO_CLIENT_ID')}:${setting('RASTRO_CLIENT_SECRET')}`);
const asClient = createClient<paths>({
  baseUrl: url, headers: { authorization: `Basic ${basic.toString('base64')}` },
});
const token = good(await asClient.POST('/oauth/token', {
  body: { audience: 'rtt', grant_type: 'client_credentials' },
}));
const rtt = createClient<paths>({
  baseUrl: url, headers: { authorization: `Bearer ${token.access_token}` },
});

const device = good(await rtt.POST('/shipping/rtt/devices', {
  params: { query: { country_id } },
  body: {
    external_entity: { entity_id: `ts-${transportId}`, entity_type: 'story_truck' },
    transport: { id: transportId },
    device_specs: { device_type: 'GPS' },
  },
}));
good(await rtt.POST('/shipping/rtt/devices/{device_id}/start_tracking', {
  params: { path: { device_id: device.id }, query: { country_id } },
}));
const fix = (seconds: number): Schemas['LocationFix'] => ({
  timestamp: now - seconds, country_id, latitude: 40.7 + seconds / 1e5, longitude: -74, accuracy: 5, altitude: null,
});
const sent = await rtt.POST('/shipping/rtt/georeceiver/{provider}/locations', {
  params: { path: { provider }, query: { country_id } },
  body: { device_id: device.id, post_timestamp: now, locations: [fix(20), fix(10)] },
});
good(sent);
const ingest_id = sent.response.headers.get('ingest-id') ?? '';
const receipt = await until('The receipt', async () => {
  const { data } = await rtt.GET('/shipping/rtt/ingest/{ingest_id}', {
    params: { path: { ingest_id }, query: { country_id } },
  });
  return data?.['settled'] === true ? data : undefined;
});
expect('stored items', receipt.outcomes.stored, 2);

const command: Schemas['ProcessTelemetryEventsCommand'] = {
  command: 'process_telemetry_events',
  id: Buffer.from(`typescript-${transportId}`).toString('base64'),
  transport: { id: transportId, license_plate: 'ABC1D23', country_id },
  travel: { init_date: iso(now - 3600), end_date: iso(now) },
};
const { command_id } = good(await rtt.POST('/platform/providers/{provider}/commands', {
  params: { path: { provider }, query: { country_id } }, body: command,
}));
const result = await until('The deferred answer', async () => {
  const { data } = await rtt.GET('/platform/providers/{provider}/commands/{command_id}', {
    params: { path: { provider, command_id }, query: { country_id } },
  });
  return data?.deferred_answer === undefined ? undefined : data;
});
expect('state of the command', result.state, 'done');

const { error } = await rtt.GET('/shipping/rtt/devices/{device_id}', {
  params: { path: { device_id: 'no-such-device' }, query: { country_id } },
});
expect('code of a refusal', error?.code, 'device_not_found');
process.stdout.write(`story: ${receipt.outcomes.stored} stored, command ${result.state}\n`);

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** The body of a good answer, or an error with the problem. */
function good<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

function expect(what: string, seen: unknown, wanted: unknown): void {
  if (seen !== wanted) throw new Error(`${what}: ${String(seen)}, not ${String(wanted)}`);
}

/** Asks until there is an answer, at most a minute. */
async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 240; tries += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => { setTimeout(resolve, 250); });
  }
  throw new Error(`${what} did not come within a minute.`);
}
