import { connect } from 'node:net';
import type { PlatformReply } from '../platform-calls.ts';
import { jsonOf } from './match.ts';

const ANSWER_MS_MAX = 20_000;

/** Sends lines as they are, CRLF behind each, and reads the answer until the other side ends. */
export async function callRaw(url: string, lines: readonly string[]): Promise<PlatformReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('No answer.')));
  socket.write(lines.map((line) => `${line}\r\n`).join(''));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return replyOf(Buffer.concat(chunks).toString('utf8'));
}

function replyOf(answer: string): PlatformReply {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  const body = jsonOf(text);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(fields.map((field): [string, string] => {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(field) ?? [];
      return [name, value];
    })),
    text,
    body: typeof body === 'object' && body !== null ? body as Record<string, unknown> : {},
  };
}
