/**
 * The program on a device: fixes come by standard input, go to the kit, and are reported as safe.
 * It uses a copy of the kit, which KIT names.
 */
import { createInterface } from 'node:readline';
import type { Handed } from './kit-process.ts';

type Kit = typeof import('../../../services/clients/typescript/src/index.ts');

const { openClient } = await import(setting('KIT')) as Kit;
const client = await openClient({
  url: setting('RASTRO_URL'), provider: setting('RASTRO_PROVIDER'),
  countryId: setting('RASTRO_COUNTRY'),
  clientId: setting('RASTRO_CLIENT_ID'), clientSecret: setting('RASTRO_CLIENT_SECRET'),
  spool: { dir: setting('SPOOL'), segmentBytes: 65_536 }, callMs: 3_000,
  onAccepted: () => { say('accepted'); },
  onRefused: ({ problem }) => { say(`refused ${problem.code}`); },
});

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'flush') {
    await client.flush();
    await client.close();
    say('flushed');
    break;
  }
  const { number, device_id, fixes } = JSON.parse(line) as Handed;
  client.sendLocations(device_id, fixes).then(
    () => { say(`safe ${number}`); },
    (error: unknown) => { say(`failed ${String(error)}`); },
  );
}
process.exit(0);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
