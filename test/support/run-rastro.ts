import { spawn } from 'node:child_process';

/** Less than a test may take. On a busy machine the program alone needs ten seconds to start. */
const MS_MAX = 25_000;

/** How the program ended. */
export interface EndedProgram {
  /** Null where it had to be ended. */
  readonly status: number | null;
  readonly stderr: string;
}

/** Runs `rastro`; nothing listens at the addresses that are not given. */
export function runRastro(
  words: readonly string[], env: Readonly<Record<string, string>>,
): Promise<EndedProgram> {
  const child = spawn(process.execPath, ['services/cli/main.ts', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'], timeout: MS_MAX, killSignal: 'SIGKILL',
    env: {
      PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      RASTRO_ACTOR: 'test', RASTRO_SECRET_PEPPER: 'p', KAFKA_BROKERS: '127.0.0.1:1',
      CLICKHOUSE_URL: 'http://127.0.0.1:2', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1', ...env,
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text; });
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ status, stderr }));
  });
}

/** How it ends where a store is away. */
export const awayAt = (store: string, address: string, why: string): EndedProgram => (
  { status: 1, stderr: `${store} cannot be reached at ${address} (${why}).\n` }
);
