import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the fake platform saw. */
export interface SeenCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** What it answers; `cut` closes the connection without an answer. */
export type FakeAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object }
  | 'cut';

/** A small HTTP server on this machine that answers as a test says. */
export interface FakePlatform {
  readonly url: string;
  readonly calls: SeenCall[];
  /** Calls whose path contains the text. */
  readonly callsTo: (part: string) => SeenCall[];
  readonly close: () => Promise<void>;
}

/**
 * Starts the fake. `script` may answer a call (count is of calls of this kind so far, from 1);
 * where it returns `undefined` the platform behaves well.
 */
export async function startFakePlatform(
  script: (call: SeenCall, count: number) => FakeAnswer | undefined = () => undefined,
): Promise<FakePlatform> {
  const calls: SeenCall[] = [];
  const counts = new Map<string, number>();
  let devices = 0;
  let tokens = 0;

  function behaveWell(path: string): FakeAnswer {
    if (path.startsWith('/oauth/token')) {
      tokens += 1;
      const body = { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 21_600 };
      return { status: 200, body };
    }
    if (path.startsWith('/shipping/rtt/devices?')) {
      devices += 1;
      return { status: 201, body: { id: `device-${devices}` } };
    }
    if (path.includes('_tracking?')) return { status: 200, body: {} };
    return { status: 202, body: { status: 202, message: 'Accepted' } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const body = Buffer.concat(chunks).toString('utf8');
    const call = { path, authorization: request.headers.authorization, body };
    calls.push(call);
    const kind = path.replace(/device-\d+/, '');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const answer = script(call, count) ?? behaveWell(path);
    if (answer === 'cut') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body ?? {}));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    callsTo: (part) => calls.filter((call) => call.path.includes(part)),
    close: () => new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    }),
  };
}
