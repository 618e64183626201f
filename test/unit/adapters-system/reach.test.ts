import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hostPortOf, reachAny } from '../../../services/adapters/system/reach.ts';

/** An address where nothing listens: one that was free a moment ago. */
async function openThenClosed(stays: boolean): Promise<{ address: string; close: () => void }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!stays) await new Promise((resolve) => { server.close(resolve); });
  return { address, close: () => void server.close() };
}

describe('reaching a service', () => {
  it('names every address where nothing listens', async () => {
    const { address: a } = await openThenClosed(false);
    const { address: b } = await openThenClosed(false);
    await expect(reachAny('The log', [a, b])).rejects.toThrow(
      `The log cannot be reached at ${a} (nothing listens there), ${b} (nothing listens there).`,
    );
  });

  it('is enough at one of them', async () => {
    const [gone, there] = [await openThenClosed(false), await openThenClosed(true)];
    await expect(reachAny('The log', [gone.address, there.address])).resolves.toBeUndefined();
    there.close();
  });

  it('ends in time where no answer comes at all', async () => {
    // An address for documentation, which no network answers for (RFC 5737).
    const failed = reachAny('The log', ['192.0.2.1:9092'], 50);
    await expect(failed).rejects.toThrow(/^The log cannot be reached at 192\.0\.2\.1:9092 \(/);
  });

  it.each([
    ['redis://:secret@10.0.0.1/0', '10.0.0.1:6379'], ['https://tables.example', 'tables.example:443'],
    ['http://[::1]:8123/', '[::1]:8123'],
  ])('takes host and port of %s, and no secret', (url, address) => {
    expect(hostPortOf(url)).toBe(address);
  });
});
