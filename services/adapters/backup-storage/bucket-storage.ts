import type { BackupStorage } from '../../kernel/backup-storage.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import { encoded, signedHeaders, type Signer } from './sign-request.ts';

/** A bucket of an object storage with the S3 API. */
export interface BucketConfig extends Signer {
  /** Its address with the path in it, such as `https://storage.example/rastro/tables/`. */
  readonly url: string;
}

const REQUEST_MS_MAX = 30_000;
const DELETES_AT_ONCE = 8;

/** Backups in a bucket, each below a prefix of its own. */
export function createBucketStorage(config: BucketConfig, clock: Clock): BackupStorage {
  const { origin, pathname } = new URL(config.url);
  const [, bucket = '', ...rest] = pathname.replace(/\/*$/, '/').split('/');
  const root = rest.join('/');

  /** `query` is in the order of its names, as a signature wants it. */
  async function call(method: string, path: string, query = ''): Promise<string> {
    const url = new URL(`${origin}/${bucket}${path}${query}`);
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(url, {
        method, headers: signedHeaders(method, url, config, clock.nowMs()),
        redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS_MAX),
      });
      text = await answer.text();
    } catch (error) {
      throw unavailable(`does not answer: ${(error as Error).message}`, error);
    }
    if (answer.ok) return text;
    throw unavailable(`answered ${answer.status} ${valuesOf(text, 'Code')[0] ?? ''}`.trimEnd());
  }

  /** Names below a prefix, of objects or, by a delimiter, of what is common to several. */
  async function list(prefix: string, element: 'Key' | 'Prefix'): Promise<readonly string[]> {
    const found: string[] = [];
    let token: string | undefined;
    do {
      const asked: readonly (readonly [string, string])[] = [
        ...(token === undefined ? [] : [['continuation-token', token] as const]),
        ...(element === 'Key' ? [] : [['delimiter', '/'] as const]),
        ['encoding-type', 'url'], ['list-type', '2'], ['prefix', prefix],
      ];
      const query = asked.map(([name, value]) => `${name}=${encoded(value)}`).join('&');
      const text = await call('GET', '', `?${query}`);
      const listed = element === 'Key' ? [text] : valuesOf(text, 'CommonPrefixes');
      found.push(...listed.flatMap((each) => valuesOf(each, element)).map(decoded));
      const [next] = valuesOf(text, 'NextContinuationToken');
      token = valuesOf(text, 'IsTruncated')[0] === 'true' ? next : undefined;
    } while (token !== undefined);
    return found;
  }

  return {
    names: async () => (await list(root, 'Prefix')).map((each) => each.slice(root.length, -1)),
    async remove(name) {
      const keys = [...await list(`${root}${name}/`, 'Key')];
      const deleteAll = async (): Promise<void> => {
        for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
          await call('DELETE', `/${key.split('/').map(encoded).join('/')}`);
        }
      };
      await Promise.all(Array.from({ length: DELETES_AT_ONCE }, deleteAll));
    },
  };
}

/** The storage writes keys in the form of a query, where a blank may be a plus. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function valuesOf(xml: string, element: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))]
    .map(([, value = '']) => value);
}

function unavailable(what: string, cause?: unknown): Unavailable {
  return new Unavailable('sink_unavailable', 'apply', `the storage of backups ${what}`, cause);
}
