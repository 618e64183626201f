import { createBucketFiles } from '../../adapters/backup-storage/bucket-files.ts';
import { createFolderFiles } from '../../adapters/backup-storage/folder-files.ts';
import { createParquetRewriter } from '../../adapters/clickhouse/parquet-rewriter.ts';
import { readTls } from '../../adapters/config/read-tls.ts';
import { systemClock } from '../../adapters/system/system.ts';
import type { ArchiveEraser } from '../../kernel/archive.ts';
import type { FileStore } from '../../kernel/file-store.ts';
import { openExport } from '../export/assemble.ts';
import type { ArchivePorts } from './archive-view.ts';
import { createArchiveEraser } from './erase-archive.ts';

const REWRITE_MS_MAX = 120_000;

/** Opens what `rastro archive` needs, or says what is missing. */
export function openArchive(
  env: NodeJS.ProcessEnv,
): { readonly ports: ArchivePorts; readonly close: () => Promise<void> } {
  const files = archiveFilesIn(env);
  if (files === undefined) {
    throw new Error('Set RASTRO_ARCHIVE_STORAGE: an absolute folder, or https://host/bucket/path/.');
  }
  const { ports: { history, report, nowMs }, close } = openExport(env);
  return { ports: { history, report, nowMs, files }, close };
}

/** Opens the archive for erasures, with the login that may read tables; undefined without one. */
export function openArchiveEraser(env: NodeJS.ProcessEnv): ArchiveEraser | undefined {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } = env;
  const files = archiveFilesIn(env);
  if (files === undefined || url === undefined || user === undefined) return undefined;
  const rewriter = createParquetRewriter({
    url, tls: readTls('CLICKHOUSE', url, env), user, password: password ?? '',
    database: env['CLICKHOUSE_DATABASE'] ?? 'tracking', requestMsMax: REWRITE_MS_MAX,
  });
  return createArchiveEraser({ files, rewriter, nowMs: () => systemClock.nowMs() });
}

function archiveFilesIn(env: NodeJS.ProcessEnv): FileStore | undefined {
  const {
    RASTRO_ARCHIVE_STORAGE: address, RASTRO_ARCHIVE_ACCESS_KEY_ID: accessKeyId,
    RASTRO_ARCHIVE_SECRET_ACCESS_KEY: secretAccessKey, RASTRO_ARCHIVE_REGION: region = 'us-east-1',
  } = env;
  if (!address) return undefined;
  if (address.startsWith('/')) return createFolderFiles(address);
  if (!/^https?:\/\/[^/]+\/[^/]+/.test(address)) {
    throw new Error('RASTRO_ARCHIVE_STORAGE is an absolute folder, or https://host/bucket/path/.');
  }
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('Set RASTRO_ARCHIVE_ACCESS_KEY_ID and RASTRO_ARCHIVE_SECRET_ACCESS_KEY.');
  }
  return createBucketFiles({ url: address, accessKeyId, secretAccessKey, region }, systemClock);
}
