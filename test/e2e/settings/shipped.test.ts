import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { renderedCompose, type RenderedProcess } from '../../../infra/check/rendered.ts';
import { runSettings } from '../../../scripts/conformance/settings/run-settings.ts';
import { freeBlock } from '../../support/free-block.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const RUN_MS_MAX = 600_000;
/** The settings bring their own stack, whatever the test run uses. */
const FOREIGN = /^(KAFKA_|REDIS_|CLICKHOUSE_|ANALYST_|SCHEMA_REGISTRY_URL)/;

async function run(
  processes: readonly RenderedProcess[], only: string, driveSeconds: number,
): Promise<{ readonly isGood: boolean; readonly output: string }> {
  const printed: string[] = [];
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  const isGood = await runSettings({
    name: 'compose', processes, port: await freeBlock(), only, driveSeconds,
    print: (text) => printed.push(text),
  }, new AbortController().signal);
  return { isGood, output: printed.join('') };
}

it('the compose file as shipped passes the kit by both profiles, and its ledger is clean', async () => {
  const { isGood, output } = await run(renderedCompose(ROOT_DIR), '', 5);
  expect(output).toMatch(/compose, interface: 1\d\d passed, 0 failed, 0 skipped/);
  expect(output).toMatch(/\nsent=[1-9]\d* .* lost=0 doubled=0/);
  expect(isGood).toBe(true);
}, RUN_MS_MAX);

it('a setting that makes X-Client-Id mandatory is found out', async () => {
  const offending = renderedCompose(ROOT_DIR).map((each) => each.kind === 'gateways'
    ? { ...each, env: { ...each.env, RASTRO_CLIENT_ID_REQUIRED: 'true' } } : each);
  const { isGood, output } = await run(offending, 'device-', 0);
  expect(output).toMatch(/failed +device-registered.*\n.*client_id_required|device-registered.*403/);
  expect(output).toMatch(/compose, interface: 0 passed, [1-9]\d* failed/);
  expect(isGood).toBe(false);
}, RUN_MS_MAX);
