import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../../../services/adapters/http/server/admin.ts';

describe('an answer of the operators’ endpoints', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  it('is kept in no cache and read as what it says, whatever it is', async () => {
    server = createServer(createAdmin({
      unready: () => Promise.resolve(['log']), isDraining: () => false,
      metrics: () => Promise.resolve({ contentType: 'text/plain', text: 'up 1\n' }),
    })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const [path, status] of [
      ['/healthz', 200], ['/readyz', 503], ['/metrics', 200], ['/other', 404],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      await answer.text();
      expect([path, answer.status, ...['cache-control', 'x-content-type-options'].map((name) => (
        answer.headers.get(name)
      ))]).toEqual([path, status, 'no-store', 'nosniff']);
    }
  });
});
