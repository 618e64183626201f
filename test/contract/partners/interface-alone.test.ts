import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceCommand } from '../../../services/cli/conformance/command.ts';
import { runPartner, type Partner } from '../../partners/run-partner.ts';

interface KitValue {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly advised: number;
  readonly checks: readonly {
    readonly id: string; readonly outcome: string; readonly reasons?: readonly string[];
    readonly advice?: readonly { readonly remark: string }[];
  }[];
}

const env = {
  CLIENT_ID: '700000000000001', CLIENT_SECRET: 'a-secret-of-the-test', COMMAND_TOKEN: 'a-token',
};
const asKit = {
  RASTRO_CLIENT_ID: env.CLIENT_ID, RASTRO_CLIENT_SECRET: env.CLIENT_SECRET,
  RASTRO_PROVIDER_COMMAND_TOKEN: env.COMMAND_TOKEN,
};
const failuresOf = ({ checks }: KitValue) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id, reasons }) => [id, reasons]);

describe.each([
  ['provider', ['command-error-body']],
  ['carrier', ['authorized-test', 'authorization-token-answers', 'cancelled', 'feed-unknown']],
] as const)('a %s in Python that was written from the interface alone', (role, advised) => {
  let partner: Partner;
  const run = async (...more: string[]) => {
    const report = await conformanceCommand(
      { env: asKit }, ['--target', partner.url, '--role', role, ...more],
    );
    return { exitCode: report.exitCode, value: report.value as KitValue };
  };
  beforeAll(async () => { partner = await runPartner(role, env); });
  afterAll(() => partner.close());

  it('passes the kit: nothing of what the interface asks for fails', async () => {
    const { exitCode, value } = await run();
    expect(failuresOf(value)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(value.passed).toBeGreaterThan(5);
  });

  it('gets what we chose beyond it as advice, with what to change', async () => {
    const { value } = await run('--profile', 'interface');
    const given = value.checks.filter(({ outcome }) => outcome === 'advice');
    expect(given.map(({ id }) => id)).toEqual(expect.arrayContaining([...advised]));
    const remarks = given.flatMap(({ advice = [] }) => advice.map(({ remark }) => remark));
    expect(remarks.every((remark) => remark.length > 20)).toBe(true);
  });

  it('fails when our own profile is asked for', async () => {
    const { exitCode, value } = await run('--profile', 'rastro');
    expect(exitCode).toBe(1);
    expect(failuresOf(value).map(([id]) => id)).toEqual(expect.arrayContaining([...advised]));
  });
});

describe('tokens of a carrier in Python', () => {
  let partner: Partner;
  beforeAll(async () => { partner = await runPartner('carrier', env); });
  afterAll(() => partner.close());

  it.each(['token-issued', 'token-request', 'token-credentials', 'token-media-type'])(
    'pass %s by the interface', async (only) => {
      const { value } = await conformanceCommand(
        { env: asKit }, ['--target', partner.url, '--role', 'receiver', '--only', only],
      );
      expect(failuresOf(value as KitValue)).toEqual([]);
    });
});

describe('the partners', () => {
  it.each(['provider.py', 'carrier.py'])('know nothing of ours: %s', (file) => {
    const text = readFileSync(resolve(import.meta.dirname, '../../partners', file), 'utf8');
    expect(text).not.toMatch(/problem\+json|[Rr]astro|\bTEST|cancellation|X-Client-Id/);
    const imported = [...text.matchAll(/^(?:from|import) ([a-z_0-9]+)/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !STANDARD.includes(name ?? ''))).toEqual([]);
  });
});

/** The modules of Python's standard library that an outsider needs for this. */
const STANDARD = [
  'base64', 'binascii', 'datetime', 'http', 'json', 'os', 're', 'secrets', 'threading', 'time',
  'urllib',
];
