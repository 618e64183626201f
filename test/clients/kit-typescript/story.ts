/** The story of test/clients/README.md, by the client kit as it is installed from its archive. */
import { CallRefused, openClient, type LocationFix } from 'rastro-client-kit';

const provider = setting('RASTRO_PROVIDER');
const country_id = setting('RASTRO_COUNTRY');
const transport = Number(setting('RASTRO_TRANSPORT'));
const now = Math.floor(Date.now() / 1000);
const accepted: string[] = [];
const refused: string[] = [];

const client = await openClient({
  url: setting('RASTRO_URL'), provider, countryId: country_id,
  clientId: setting('RASTRO_CLIENT_ID'), clientSecret: setting('RASTRO_CLIENT_SECRET'),
  spool: { dir: 'spool' },
  onAccepted: ({ ingestId }) => { accepted.push(ingestId); },
  onRefused: ({ problem, items }) => { refused.push(`${problem.code} of ${items.length}`); },
});

const registered = await client.call({
  method: 'POST', path: '/shipping/rtt/devices', query: { country_id },
  body: {
    external_entity: { entity_id: `kit-ts-${transport}`, entity_type: 'story_truck' },
    transport: { id: transport },
  },
});
const { id } = registered.body as { readonly id: string };
await client.call({
  method: 'POST', path: `/shipping/rtt/devices/${id}/start_tracking`, query: { country_id },
});

const fix = (seconds: number): LocationFix => ({
  timestamp: now - seconds, country_id, latitude: 40.7 + seconds / 1e5, longitude: -74, accuracy: 5,
});
await Promise.all([20, 10].map((seconds) => client.sendLocations(id, [fix(seconds)])));
await client.flush();
const receipt = await client.receipt(accepted[0] ?? '');
expect('stored items', receipt.outcomes.stored, 2);

await client.sendLocations(id, [fix(20), fix(10)]);
await client.flush();
const again = await client.receipt(accepted[1] ?? '');
expect('duplicates', again.outcomes.duplicate, 2);

await client.sendLocations(id, [{ ...fix(5), latitude: 91 }]);
await client.flush();
expect('refused batches', refused.join(), 'validation_failed of 1');

const unknown = await client.call({
  method: 'GET', path: '/shipping/rtt/devices/no-such-device', query: { country_id },
}).catch((error: unknown) => error);
expect('code of a refusal', unknown instanceof CallRefused && unknown.problem.code, 'device_not_found');
await client.close();
process.stdout.write(`story: ${receipt.outcomes.stored} stored, ${again.outcomes.duplicate} known already, 1 refused\n`);

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

function expect(what: string, seen: unknown, wanted: unknown): void {
  if (seen !== wanted) throw new Error(`${what}: ${String(seen)}, not ${String(wanted)}`);
}
