import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { OffenderEnv } from './offender.ts';

const CALL_MS_MAX = 10_000;
/** Offenders come from an address of their own, as they would; honest callers from another one. */
export const ADDRESS = '127.0.0.9';

/** One call as an offender makes it. */
export interface Offence {
  readonly path: string;
  readonly token?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Names one more thing to count, by the body of an answer. */
  readonly alsoCount?: (body: string) => string;
}

/** Sends one call and counts its answer; never rejects. */
export function offend(
  env: OffenderEnv, { path, token, body, headers, method, alsoCount }: Offence, at = 0,
): Promise<void> {
  return new Promise((resolve) => {
    const url = new URL(path, env.gateways[at % env.gateways.length]);
    const end = (answer: number | string): void => {
      env.count(answer);
      resolve();
    };
    const call = httpRequest(url, {
      method: method ?? 'POST', agent: false, timeout: CALL_MS_MAX, localAddress: ADDRESS,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => { if (alsoCount !== undefined) text += chunk.toString(); });
      answer.on('close', () => {
        if (alsoCount !== undefined && answer.complete) env.count(alsoCount(text));
        end(answer.statusCode ?? 0);
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.name));
    call.on('timeout', () => call.destroy());
    const cut = (): void => { call.destroy(); };
    env.signal.addEventListener('abort', cut);
    call.on('close', () => env.signal.removeEventListener('abort', cut));
    call.end(body);
  });
}

/** Lets so many workers repeat something until the offence ends. */
export async function together(
  env: OffenderEnv, workers: number, work: (nth: number, at: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(Array.from({ length: workers }, async (_, at) => {
    for (let nth = 0; !env.signal.aborted; nth += 1) await work(nth, at);
  }));
}

/** Waits, or until the offence ends. */
export async function pause(env: OffenderEnv, ms: number): Promise<void> {
  await delay(ms, undefined, { signal: env.signal }).catch(() => undefined);
}

/**
 * A line of its own to one gateway; what comes on it is thrown away. `line ended` counts those that
 * the gateway ended, and no other.
 */
export function openLine(env: OffenderEnv, at = 0): Promise<Socket | undefined> {
  const { hostname, port } = new URL(env.gateways[at % env.gateways.length] ?? '');
  return new Promise((resolve) => {
    const line = connect({ port: Number(port), host: hostname, localAddress: ADDRESS });
    let [isOpen, isEnded] = [false, false];
    line.on('connect', () => {
      env.count('opened');
      isOpen = true;
      resolve(line);
    });
    line.on('end', () => { isEnded = true; });
    line.on('error', (error: NodeJS.ErrnoException) => {
      env.count(error.code ?? error.name);
      resolve(undefined);
    });
    line.on('close', (hadError) => { if (isOpen && (isEnded || hadError)) env.count('line ended'); });
    line.resume();
    const cut = (): void => { line.destroy(); };
    env.signal.addEventListener('abort', cut);
    line.on('close', () => env.signal.removeEventListener('abort', cut));
  });
}

/** An invented token of the right form, another one each time. */
export function inventedToken(): string {
  const random = Buffer.from(Array.from({ length: 32 }, () => Math.floor(Math.random() * 256)));
  return `00${random.toString('base64url').padEnd(43, 'A').slice(0, 43)}`;
}

/** UTC seconds of now. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** A post of locations at these times, in seconds. */
export function locationsOf(deviceId: string, times: readonly number[], more: object = {}): string {
  return JSON.stringify({
    device_id: deviceId, post_timestamp: nowSeconds(),
    locations: times.map((timestamp) => (
      { timestamp, country_id: 'BR', latitude: -23.5, longitude: -46.6, ...more }
    )),
  });
}

/** Where locations of a provider are sent. */
export function locationsPath(provider: string): string {
  return `/shipping/rtt/georeceiver/${provider}/locations?country_id=BR`;
}

/** Commands the guest's own party, under this key. */
export function command(
  env: OffenderEnv, key: string, at: number, alsoCount?: Offence['alsoCount'],
): Promise<void> {
  const { platform, provider } = env.guest;
  return offend(env, {
    path: `/platform/providers/${provider}/commands?country_id=BR`, token: platform.token,
    headers: { 'idempotency-key': key }, ...(alsoCount === undefined ? {} : { alsoCount }),
    body: JSON.stringify({
      command: 'start_tracking',
      transport: { id: 7_000_000, license_plate: 'GUEST', country_id: 'BR' },
    }),
  }, at);
}
