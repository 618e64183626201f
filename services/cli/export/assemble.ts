import { openViewExport } from '../../adapters/clickhouse/view-export.ts';
import { writeStream } from '../../adapters/system/write-stream.ts';
import { exportCommand } from './command.ts';
import type { Report } from '../ports.ts';

const REQUEST_MS_MAX = 60_000;
const PIECE_ROWS_MAX = 500_000;

/** Runs `rastro export` as the analyst of the environment; throws one sentence without one. */
export async function runExport(
  args: readonly string[], env: NodeJS.ProcessEnv,
): Promise<Report> {
  const { CLICKHOUSE_URL: url, ANALYST_USER: user, ANALYST_PASSWORD: password } = env;
  if (url === undefined || user === undefined || password === undefined) {
    throw new Error(
      'Set CLICKHOUSE_URL, ANALYST_USER, ANALYST_PASSWORD (npm start writes them to .rastro/env).',
    );
  }
  const database = env['CLICKHOUSE_DATABASE'] ?? 'tracking';
  const history = openViewExport({
    url, user, password, database, requestMsMax: REQUEST_MS_MAX, pieceRowsMax: PIECE_ROWS_MAX,
  });
  try {
    return await exportCommand({ history, write: writeStream }, args);
  } finally {
    await history.close();
  }
}
