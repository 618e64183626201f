import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, describe, expect, it } from 'vitest';
import type { Guest } from '../../hostile/offender.ts';
import { startOffending } from '../../hostile/run/offence.ts';

/** Below the time after which an offence without any answer counts as begun. */
const BEGUN_TEST_MS_MAX = 15_000;
const CLIENT = { clientId: '1', secret: 's', token: 't', deviceId: 'd' };
const GUEST: Guest = {
  provider: 'guest', partyId: 'p-guest', clients: [CLIENT], carrier: CLIENT,
  platform: { ...CLIENT, authorizationToken: 't' },
};

/** An offender who calls this server with one path after the other. */
async function offendAt(listener: RequestListener): Promise<ReturnType<typeof startOffending>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  return startOffending({
    name: 'unknown-paths', live: '', guest: GUEST, honestNumbers: 'T-',
    gateways: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    tables: { url: '', user: '', password: '', database: '' },
  });
}

describe('an offence', () => {
  it('has begun when its first call was answered, and counts every answer', async () => {
    let answered = 0;
    const offending = await offendAt((_request, response) => {
      answered += 1;
      response.writeHead(404).end();
    });
    await offending.begun;
    expect(answered).toBeGreaterThan(0);
    const answers = await offending.stop();
    expect(answers[404]).toBeGreaterThan(0);
  }, BEGUN_TEST_MS_MAX);

  it('counts calls that its end cuts off', async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => { arrived = resolve; });
    const offending = await offendAt(() => { arrived(); });
    await arrival;
    expect(await offending.stop()).toMatchObject({ ECONNRESET: 16 });
  });
});
