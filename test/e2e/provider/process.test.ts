import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createComparison, type Balance } from '../../../services/provider/ledger/compare.ts';
import { readLedgerFile } from '../../../services/provider/ledger/file.ts';
import { identityOfSent } from '../../../services/provider/ledger/identity.ts';
import type { LocationsBody } from '../../../schemas/generated/types.ts';
import {
  startFakePlatform, type FakeAnswer, type FakePlatform, type SeenCall,
} from '../../unit/provider/fake-platform.ts';
import { until } from '../../unit/provider/virtual-clock.ts';

/** Posts of devices; their drivers' deliveries go elsewhere and are in no ledger. */
const LOCATIONS = '/georeceiver/acme/locations';
const MAIN = new URL('../../../services/provider/main.ts', import.meta.url).pathname;
const COMMAND_TOKEN = 'command-token';

let dir: string;
let platform: FakePlatform;
let child: ChildProcess | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rastro-provider-'));
});

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await new Promise((gone) => child?.once('exit', gone));
  }
  await platform.close();
  await rm(dir, { recursive: true });
});

/** Runs the provider as its own process; resolves with its address when it is up. */
async function startProcess(
  args: readonly string[], script?: (call: SeenCall, count: number) => FakeAnswer | undefined,
): Promise<string> {
  platform = await startFakePlatform(script);
  child = spawn(process.execPath, [MAIN, '--ledger', join(dir, 'ledger.jsonl'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      RASTRO_URL: platform.url, RASTRO_CLIENT_ID: '1', RASTRO_CLIENT_SECRET: 'secret',
      RASTRO_PROVIDER: 'acme', RASTRO_PROVIDER_COMMAND_TOKEN: COMMAND_TOKEN,
      RASTRO_REPLAY_SOURCES: 'rsk-twizy,barefoot-munich',
    },
  });
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line) as { event: string; url: string };
    if (event === 'provider_started') return url;
  }
  throw new Error('the provider ended before it was up');
}

async function command(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/rtt/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${COMMAND_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      command: name, transport: { id: 7, license_plate: 'ABC1D23', country_id: 'MA' },
    }),
  });
  return response.status;
}

function end(signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child?.once('exit', resolve);
    child?.kill(signal);
  });
}

/** Balances the ledger's locations against the distinct ones of the bodies that `took` picks. */
async function balance(took: (call: SeenCall, index: number) => boolean): Promise<Balance> {
  const comparison = createComparison();
  const posts = new Set<string>();
  for await (const line of readLedgerFile(join(dir, 'ledger.jsonl'))) {
    if (line.line === 'post') posts.add(line.post);
    if (posts.has(line.post)) comparison.addLine(line);
  }
  const stored = new Set<string>();
  for (const call of platform.callsTo(LOCATIONS).filter(took)) {
    const body = JSON.parse(call.body) as LocationsBody;
    for (const fix of body.locations) stored.add(identityOfSent(body.device_id, fix));
  }
  for (const identity of stored) comparison.addRow(identity);
  return comparison.balance();
}

describe('the provider as a process', () => {
  it('tracks on command, stops on command, and leaves a ledger that balances', async () => {
    const url = await startProcess(['--speed', '20']);
    expect(await command(url, 'start_tracking')).toBe(200);
    await until(() => platform.callsTo(LOCATIONS).length >= 2);
    expect(await command(url, 'stop_tracking')).toBe(200);
    await until(() => platform.callsTo('stop_tracking').length === 1);
    expect(await end('SIGTERM')).toBe(0);
    const account = await balance(() => true);
    expect(account).toMatchObject({ lost: 0, doubled: 0, phantom: 0, refused: 0 });
    expect(account.stored).toBeGreaterThan(20);
  });

  it('stops its devices at the platform when it is asked to end', async () => {
    await startProcess(['--devices', '5', '--speed', '20']);
    await until(() => platform.callsTo(LOCATIONS).length >= 5);
    expect(await end('SIGTERM')).toBe(0);
    expect(platform.callsTo('stop_tracking')).toHaveLength(5);
    expect(platform.calls.at(-1)?.path).toContain('stop_tracking');
  });

  it('drains after its time, says so, and goes on answering', async () => {
    const url = await startProcess(['--devices', '3', '--speed', '20', '--for', '1s']);
    let status: { drained: boolean; in_hand: number };
    do {
      status = await (await fetch(`${url}/status`)).json() as typeof status;
    } while (!status.drained);
    expect(status).toMatchObject({ in_hand: 0, devices: 0, unknown: 0 });
    expect(await end('SIGTERM')).toBe(0);
  });

  it('has in its ledger what it sent when it is killed', async () => {
    await startProcess(['--devices', '5', '--speed', '50'], (call, count) =>
      (call.path.includes(LOCATIONS) && count % 3 === 0 ? 'cut' : undefined));
    await until(() => platform.callsTo(LOCATIONS).length >= 12);
    await end('SIGKILL');
    const account = await balance(() => true);
    expect(account).toMatchObject({ lost: 0, phantom: 0 });
    expect(account.stored + account.stored_unconfirmed).toBeGreaterThan(0);
  });
});
