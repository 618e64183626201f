import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { kafkaMetadataRequest, liveBrokers } from './kafka-metadata.ts';

const PROBE_MS_MAX = 1_000;

/** True when the broker at host:port answers Metadata and lists `nodeId` (or any) as unfenced. */
export async function probeKafka(host: string, port: number, nodeId?: number): Promise<boolean> {
  const socket = connectPlain({ host, port });
  const answer = await exchange(socket, kafkaMetadataRequest(), (bytes) => {
    return bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0);
  });
  if (answer === undefined) return false;
  const brokers = liveBrokers(answer);
  return nodeId === undefined ? brokers.length > 0 : brokers.includes(nodeId);
}

/** True when the server behind the redis:// or rediss:// URL answers PING (loading counts as no). */
export async function probeRedis(url: string): Promise<boolean> {
  const { hostname: host, port, username, password, protocol } = new URL(url);
  const at = { host, port: Number(port || 6379) };
  const socket = protocol === 'rediss:' ? connectTls(at) : connectPlain(at);
  const credential = [username, password].filter((word) => word !== '').map(decodeURIComponent);
  const login = credential.length > 0 ? command(['AUTH', ...credential]) : '';
  const bytes = Buffer.from(`${login}${command(['PING'])}`);
  const answer = await exchange(socket, bytes, (got) => /\+PONG\r\n|-.*\r\n/.test(got.toString()));
  return answer?.toString().includes('+PONG\r\n') ?? false;
}

/** True when the ClickHouse HTTP interface runs a statement as this user. */
export function probeClickHouse(url: string, user: string, password: string): Promise<boolean> {
  const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password };
  return answers(`${url.replace(/\/$/, '')}/?query=SELECT%201`, headers);
}

/** True when the Confluent-compatible registry lists its subjects. */
export function probeRegistry(url: string): Promise<boolean> {
  return answers(`${url.replace(/\/$/, '')}/subjects`, {});
}

/** The connection is not kept: a server with one open takes seconds longer to end. */
/** True when a GET of the address succeeds. */
export async function answers(
  url: string, headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS_MAX);
    const response = await fetch(url, { headers: { ...headers, connection: 'close' }, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Sends bytes and collects the answer until it is complete; undefined on any failure. */
function exchange(
  socket: Socket,
  request: Buffer,
  isComplete: (answer: Buffer) => boolean,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const finish = (result: Buffer | undefined): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_MS_MAX, () => finish(undefined));
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
    socket.on('data', (bytes: Buffer) => {
      answer = Buffer.concat([answer, bytes]);
      if (isComplete(answer)) finish(answer);
    });
    socket.write(request);
  });
}

function command(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}
