import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the tiny provider saw. */
export interface SeenCommand {
  readonly path: string;
  readonly token: string;
  readonly body: { command: string; id?: string; transport?: { id: number } };
}

/** What a tiny provider says: a status, one with headers and a body, or what is no answer. */
export type TinyAnswer =
  number | { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'cut';

/** How the tiny provider answers the call of this number, now or later. */
export type AnswerScript<Seen = SeenCommand> =
  (call: Seen, count: number) => TinyAnswer | Promise<TinyAnswer>;

/** A party on a port of its own. */
export interface TinyProvider<Seen = SeenCommand> {
  readonly url: string;
  /** Every call, in the order of their arrival. */
  readonly calls: Seen[];
  close(): void;
}

/** A provider, or a carrier, that answers as scripted and remembers every call in order. */
export async function tinyProvider<Seen = SeenCommand>(
  script: AnswerScript<Seen> = () => 200,
): Promise<TinyProvider<Seen>> {
  const calls: Seen[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (text) => {
      const call = {
        path: request.url ?? '', token: (request.headers.authorization ?? '').replace('Bearer ', ''),
        body: JSON.parse(text) as unknown,
      } as Seen;
      calls.push(call);
      const answer = await script(call, calls.length);
      if (answer === 'hang') return;
      if (answer === 'cut') {
        request.socket.destroy();
        return;
      }
      const { status, headers = {}, body = '{"status":200,"message":"success"}' } =
        typeof answer === 'number' ? { status: answer } : answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
