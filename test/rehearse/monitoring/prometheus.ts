import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePorts } from '../../../infra/local/ports.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { requirePrometheus } from '../../../infra/check/prometheus.ts';

/** A real Prometheus that reads processes, with the rules that are generated. */
export interface Prometheus {
  /** How many series a query has; throws what is wrong with it. */
  readonly seriesOf: (query: string) => Promise<number>;
  /** Every rule, with what its last evaluation said. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** Resolves when every target was read so often, which rates need. */
  readonly untilRead: (times: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One rule as Prometheus reports it; `unknown` before its first evaluation. */
export interface Rule {
  readonly name: string;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly lastError?: string;
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const RULES = join(ROOT_DIR, 'infra', 'monitoring', 'generated', 'rastro.rules.yaml');
const READY_MS_MAX = 60_000;
const READ_MS_MAX = 60_000;
const ASK_MS_MAX = 20_000;

/**
 * Where alarms go. What a rule says must last a minute lasts a second then; its other times stay as
 * they are.
 */
export interface RingingOptions {
  /** Host and port of Alertmanager. */
  readonly alertmanager: string;
}

/** Starts it in a folder of its own; `targets` are addresses of `/metrics` by their job. */
export async function startPrometheus(
  dir: string, targets: Readonly<Record<string, readonly string[]>>, ringing?: RingingOptions,
): Promise<Prometheus> {
  const program = await requirePrometheus(ROOT_DIR);
  mkdirSync(dir, { recursive: true });
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  // Rules of minutes and hours are evaluated every second here: it is their sense that is tried.
  const rules = readFileSync(RULES, 'utf8').replaceAll(/interval: "?\d+m"?$/gm, 'interval: 1s');
  writeFileSync(join(dir, 'rules.yaml'), ringing === undefined ? rules : hasty(rules));
  writeFileSync(join(dir, 'prometheus.yaml'), JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    ...(ringing === undefined ? {} : { alerting: { alertmanagers: [
      { static_configs: [{ targets: [ringing.alertmanager] }] },
    ] } }),
    scrape_configs: Object.entries(targets).map(([job, addresses]) => ({
      job_name: job, static_configs: [{ targets: addresses.map((each) => new URL(each).host) }],
    })),
  }));
  const child = spawn(program, [
    `--config.file=${join(dir, 'prometheus.yaml')}`, `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`, '--log.level=error',
  ], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const ask = async (path: string): Promise<Answer> => {
    const answer = await fetch(`${url}/api/v1/${path}`, { signal: AbortSignal.timeout(ASK_MS_MAX) });
    return await answer.json() as Answer;
  };
  const seriesOf = async (query: string): Promise<number> => {
    const { status, error = '', data } = await ask(`query?query=${encodeURIComponent(query)}`);
    if (status !== 'success') throw new Error(error);
    return data?.result?.length ?? 0;
  };
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  await waitFor(() => fetch(`${url}/-/ready`).then(({ ok }) => ok, () => false), {
    what: 'Prometheus', deadlineMs: READY_MS_MAX, everyMs: 200,
    hopeless: () => (child.exitCode === null ? undefined : `ended with ${String(child.exitCode)}`),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const wanted = Object.values(targets).flat().length;
  return {
    seriesOf, close,
    rules: async () => (await ask('rules')).data?.groups?.flatMap(({ rules }) => rules) ?? [],
    untilRead: (times) => waitFor(
      async () => await seriesOf(`count_over_time(up[1h]) >= ${times} and up == 1`) === wanted,
      { what: `Processes that Prometheus has read ${times} times`, deadlineMs: READ_MS_MAX, everyMs: 500 },
    ),
  };
}

/** Minutes become seconds, and hours minutes, where a rule says how long it must last. */
export function hasty(rules: string): string {
  return rules.replaceAll(/^( *for: "?\d+)([mh])/gm, (_, before: string, unit: string) => (
    `${before}${unit === 'm' ? 's' : 'm'}`
  ));
}

/** What its interface answers, as far as it is looked at. */
interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: {
    readonly result?: readonly unknown[];
    readonly groups?: readonly { readonly rules: readonly Rule[] }[];
  };
}
