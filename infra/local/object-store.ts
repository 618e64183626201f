import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './cache.ts';
import type { BackupDisk } from './clickhouse-config.ts';
import type { Log, Part } from './part.ts';
import { answers } from './probes.ts';
import { pythonPackages } from './python-packages.ts';
import { supervise } from './supervise.ts';

/** Where the object storage listens and what it needs. */
export type ObjectStoreOptions = {
  readonly port: number;
  /** For its output; what is stored is in its memory. */
  readonly dir: string;
  readonly cache: Cache;
  readonly log: Log;
};

/** A running object storage with one bucket. */
export type ObjectStore = {
  readonly part: Part;
  /** The bucket, as the disk of a ClickHouse server. */
  readonly disk: Extract<BackupDisk, { kind: 'bucket' }>;
};

const REQUIREMENTS = join(import.meta.dirname, 'object-store-requirements.txt');
/** At least three characters, or ClickHouse takes the address for a wrong one. */
const BUCKET = 'backups';

/**
 * Starts an object storage with the S3 API on loopback (moto, out of PyPI), for tests of backups.
 * It keeps everything in memory, so that ending it loses the bucket.
 */
export async function startObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  const { port, dir, log } = options;
  const packages = await pythonPackages(options.cache, 'object-store', REQUIREMENTS);
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(dir, { recursive: true });
  const part = await supervise({
    child: {
      name: 'object-store', dir, command: 'python3',
      args: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
      env: { ...process.env, PYTHONPATH: packages },
      stopBy: 'SIGTERM',
    },
    probe: () => answers(`${url}/`),
    readyMsMax: 60_000, stopMsMax: 5_000, log,
  });
  const made = await fetch(`${url}/${BUCKET}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`The object storage refused a bucket with status ${made.status}.`);
  return {
    part,
    disk: {
      kind: 'bucket', endpoint: `${url}/${BUCKET}/tables/`,
      accessKeyId: 'rastro', secretAccessKey: 'rastro',
    },
  };
}
