import { progressReport } from '../../adapters/command-line/report-progress.ts';
import { openViewExport } from '../../adapters/clickhouse/view-export.ts';
import { readTls } from '../../adapters/config/read-tls.ts';
import { createFolderFiles } from '../../adapters/backup-storage/folder-files.ts';
import { joinParts } from '../../adapters/parquet/join-parts.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { writeStream } from '../../adapters/system/write-stream.ts';
import type { ExportPorts } from './command.ts';

const REQUEST_MS_MAX = 60_000;
const SLICE_ROWS_MAX = 500_000;

/** Opens what `rastro export` needs as the analyst of the environment, or says what is missing. */
export function openExport(
  env: NodeJS.ProcessEnv, asJson = false,
): { readonly ports: ExportPorts; readonly close: () => Promise<void> } {
  const { CLICKHOUSE_URL: url, ANALYST_USER: user, ANALYST_PASSWORD: password } = env;
  if (url === undefined || user === undefined || password === undefined) {
    throw new Error(
      'Set CLICKHOUSE_URL, ANALYST_USER, ANALYST_PASSWORD (npm start writes them to .rastro/env).',
    );
  }
  const database = env['CLICKHOUSE_DATABASE'] ?? 'tracking';
  const history = openViewExport({
    url, tls: readTls('CLICKHOUSE', url, env), user, password, database,
    requestMsMax: REQUEST_MS_MAX, sliceRowsMax: SLICE_ROWS_MAX,
  });
  return {
    ports: {
      history, write: writeStream, join: joinParts, folder: createFolderFiles,
      report: progressReport(process.stderr, asJson), nowMs: () => systemClock.nowMs(),
    },
    close: () => history.close(),
  };
}
