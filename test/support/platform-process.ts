import { join, resolve } from 'node:path';
import { supervise } from '../../infra/local/supervise.ts';
import type { Log, Part } from '../../infra/local/part.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const READY_MS_MAX = 60_000;
const STOP_MS_MAX = 15_000;

/** One deployable to be run as its own process. */
export interface ServiceSpec {
  readonly name: string;
  /** Path of its `main.ts` from the root. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where `/readyz` and `/metrics` answer. */
  readonly adminPort: number;
}

/**
 * Starts a deployable and resolves once `/readyz` answers 200. `kill` is `kill -9`, after which it
 * is started again by itself; `stop` is SIGTERM. It sees no variable but its own and dies with us.
 */
export function startService(dir: string, spec: ServiceSpec, log: Log): Promise<Part> {
  return supervise({
    child: {
      name: spec.name,
      dir: join(dir, spec.name),
      command: process.execPath,
      args: [join(ROOT_DIR, spec.entry), ...spec.args],
      env: {
        ...passedOn('PATH', 'HOME', 'RASTRO_KAFKA_CLIENT', 'RASTRO_TEST_RUN', 'RASTRO_TRACES'),
        ...spec.env,
      },
      stopBy: 'SIGTERM',
    },
    probe: () => answersOk(`http://127.0.0.1:${spec.adminPort}/readyz`),
    readyMsMax: READY_MS_MAX,
    stopMsMax: STOP_MS_MAX,
    log,
  });
}

/** True when a GET of the address is answered 2xx in time. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function passedOn(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }));
}
