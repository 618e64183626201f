import { createHash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { FileStore } from '../../kernel/file-store.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { BucketConfig } from './bucket-storage.ts';
import { encoded, signedHeaders } from './sign-request.ts';

const REQUEST_MS_MAX = 120_000;
const NOT_FOUND = 404;
/** What a storage answers when there is a file where none should be. */
const REFUSED = [409, 412];

/**
 * Files in a bucket with the S3 API. A file is held whole while it is written, since its size and
 * hash go ahead of it: write files of bounded size.
 */
export function createBucketFiles(config: BucketConfig, clock: Clock): FileStore {
  const root = config.url.replace(/\/*$/, '/');

  async function call(
    method: string, name: string, body?: Buffer, more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const url = new URL(root + name.split('/').map(encoded).join('/'));
    try {
      const answer = await fetch(url, {
        method, redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS_MAX),
        headers: { ...signedHeaders(method, url, config, clock.nowMs(), body), ...more },
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      });
      if (answer.ok || [NOT_FOUND, ...REFUSED].includes(answer.status)) return answer;
      throw new Error(`it answered ${answer.status}`);
    } catch (error) {
      throw new Unavailable('sink_unavailable', 'apply',
        `the object storage: ${(error as Error).message}`, error);
    }
  }

  async function read(name: string): Promise<Buffer | undefined> {
    const answer = await call('GET', name);
    if (answer.status === NOT_FOUND || !answer.ok) return undefined;
    return Buffer.from(await answer.arrayBuffer());
  }

  async function put(
    name: string, body: Buffer, more?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const answer = await call('PUT', name, body, more);
    if (answer.status !== NOT_FOUND) return answer;
    throw new Unavailable('sink_unavailable', 'apply', 'the object storage has no such bucket');
  }

  return {
    read,
    async write(name, chunks) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(Buffer.from(chunk));
      const body = Buffer.concat(parts);
      const answer = await put(name, body);
      if (answer.ok) return digestOf(body);
      throw new Unavailable('sink_unavailable', 'apply', `the object storage answered ${answer.status}`);
    },
    create: async (name, text) => (await put(name, Buffer.from(text), { 'if-none-match': '*' })).ok,
    async digest(name) {
      const body = await read(name);
      return body === undefined ? undefined : digestOf(body);
    },
    async remove(name) { await call('DELETE', name); },
  };
}

function digestOf(body: Buffer): { readonly bytes: number; readonly sha256: string } {
  return { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
}
