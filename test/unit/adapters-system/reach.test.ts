import { afterEach, describe, expect, it } from 'vitest';
import { hostPortOf, reachAny, reachHttp } from '../../../services/adapters/system/reach.ts';
import { answering, listen, type Listener } from '../../support/listener.ts';

const opened: Listener[] = [];
afterEach(async () => { for (const each of opened.splice(0)) await each.close(); });

async function listening(...does: Parameters<typeof listen>): Promise<string> {
  const listener = await listen(...does);
  opened.push(listener);
  return listener.address;
}

/** An address where nothing listens: one that was free a moment ago. */
async function nowhere(): Promise<string> {
  const { address, close } = await listen();
  await close();
  return address;
}

describe('reaching a service', () => {
  it('names every address where nothing listens', async () => {
    const [a, b] = [await nowhere(), await nowhere()];
    await expect(reachAny('The log', [a, b])).rejects.toThrow(
      `The log cannot be reached at ${a} (nothing listens there), ${b} (nothing listens there).`,
    );
  });

  it('is enough at one of them', async () => {
    const [gone, there] = [await nowhere(), await listening()];
    await expect(reachAny('The log', [gone, there])).resolves.toBeUndefined();
  });

  it('ends in time where no answer comes at all', async () => {
    // An address for documentation, which no network answers for (RFC 5737).
    const failed = reachAny('The log', ['192.0.2.1:9092'], { msMax: 50 });
    await expect(failed).rejects.toThrow(/^The log cannot be reached at 192\.0\.2\.1:9092 \(/);
  });

  it('takes a connection for no answer where there is something to say', async () => {
    const [silent, ends] = [await listening(), await listening((socket) => socket.destroy())];
    await expect(reachAny('The log', [silent, ends], { greeting: 'hello', msMax: 50 }))
      .rejects.toThrow(`The log cannot be reached at ${silent} (no answer within 0.05 s), `
        + `${ends} (it ends the connection without an answer).`);
    const answers = await listening(answering('who is there?'));
    await expect(reachAny('The log', [silent, answers], { greeting: 'hello' }))
      .resolves.toBeUndefined();
  });

  it('asks for a certificate where TLS is said', async () => {
    const plain = await listening(answering('no certificate'));
    await expect(reachAny('The log', [plain], { greeting: 'hello', tls: {} }))
      .rejects.toThrow(`The log cannot be reached at ${plain} (`);
  });

  it('is content with whatever a service over HTTP answers', async () => {
    const asked: string[] = [];
    const address = await listening((socket) => void socket.on('data', (bytes) => {
      asked.push(bytes.toString());
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    }));
    await reachHttp('The tables', `http://${address}`, '/ping');
    expect(asked).toEqual([`GET /ping HTTP/1.1\r\nHost: ${address}\r\nConnection: close\r\n\r\n`]);
  });

  it.each([
    ['redis://:secret@10.0.0.1/0', '10.0.0.1:6379'], ['https://tables.example', 'tables.example:443'],
    ['http://[::1]:8123/', '[::1]:8123'],
  ])('takes host and port of %s, and no secret', (url, address) => {
    expect(hostPortOf(url)).toBe(address);
  });
});
