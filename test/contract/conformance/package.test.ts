import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run as runTool } from '../../../infra/local/command.ts';
import { packKit, type Packed } from '../../../scripts/conformance/pack/pack.ts';
import { AS_KIT, openLimitedGateway, type LimitedGateway } from '../../support/limited-gateway.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { changeHeader, changeStatus, ON } from '../../support/wrong-receiver/mistake.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const BYTES_MAX = 5_000_000;
const INSTALL_MS_MAX = 180_000;
const RUN_MS_MAX = 120_000;

/** A folder outside the repository into which the archive was installed, without a registry. */
describe('the package rastro-conformance', { timeout: RUN_MS_MAX }, () => {
  let folder: string;
  let packed: Packed;
  let gateway: LimitedGateway;
  let wrong: WrongReceiver;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rastro-conformance-test-'));
    packed = await packKit(ROOT, join(folder, 'archive'));
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    const words = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await runTool('npm', [...words, packed.file], { cwd: folder, deadlineMs: INSTALL_MS_MAX });
    [gateway, wrong] = await Promise.all([openLimitedGateway(), startWrongReceiver()]);
  }, INSTALL_MS_MAX);
  afterAll(async () => {
    await Promise.all([gateway.close(), wrong.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const kit = (...words: string[]) => program(folder, words);

  it('stays under 5 MB, packed and with everything that it needs', () => {
    expect(packed.packedBytes).toBeLessThan(BYTES_MAX);
    expect(packed.unpackedBytes).toBeLessThan(BYTES_MAX);
    const installed = filesBelow(join(folder, 'node_modules'))
      .reduce((sum, file) => sum + statSync(file).size, 0);
    expect(installed).toBeLessThan(BYTES_MAX);
    expect(installed).toBeGreaterThan(500_000);
  });

  it('names its dependencies exactly and brings them; no client of any store is among them', () => {
    const own = join(folder, 'node_modules', 'rastro-conformance');
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>; bundleDependencies: string[]; license: string;
      engines: { node: string };
    };
    const product = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(manifest.dependencies).toEqual({
      ajv: product.dependencies['ajv'], commander: product.dependencies['commander'],
    });
    expect(readdirSync(join(own, 'node_modules')).filter((name) => !name.startsWith('.')).sort())
      .toEqual(manifest.bundleDependencies);
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=22.12' } });
    const paths = filesBelow(join(folder, 'node_modules')).join('\n');
    expect(paths).not.toMatch(/kafka|redis|clickhouse|services\/(gateways|workers|cli|state)/i);
    expect(paths).not.toMatch(/services\/.*\.ts$/m);
    for (const name of ['ajv', 'commander', 'fast-uri']) {
      expect(paths).toMatch(new RegExp(`${name}/LICENSE`));
    }
  });

  it('says its version, and lists its checks without a target', async () => {
    const { output } = await kit('--version');
    expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
    const list = await kit('--role', 'provider', '--list', '--level', 'must');
    expect(list).toMatchObject({ exitCode: 0 });
    expect(list.output).toMatch(/^command-tracking +must +start_tracking/m);
    expect(list.output).not.toMatch(/ should /);
  });

  it('passes a real gateway twice in a row, each time with its reports', async () => {
    for (const time of ['first', 'second']) {
      const { exitCode, output } = await kit(
        '--role', 'receiver', '--target', gateway.url, '--only', 'device',
        '--json', 'kit.json', '--junit', 'kit.xml',
      );
      expect([time, exitCode, output.split('\n').at(-2)])
        .toEqual([time, 0, '11 passed, 0 failed, 0 advice']);
      expect(JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8')))
        .toMatchObject({ role: 'receiver', passed: 11, failed: 0 });
      expect(readFileSync(join(folder, 'kit.xml'), 'utf8')).toContain('tests="11" failures="0"');
    }
  });

  const provider = () => ['--role', 'provider', '--target', wrong.url, '--command-token', KNOWN.commandToken];

  it('ends with 1 when a must fails, and with 0 when only a should does', async () => {
    wrong.begin(changeStatus(ON.commands, 403, 401));
    const must = await kit(...provider(), '--only', 'command-token');
    expect([must.exitCode, must.output.split('\n').at(-2)])
      .toEqual([1, '0 passed, 1 failed, 0 advice']);
    wrong.begin(changeHeader(ON.commands, 'content-type', 'application/json'));
    const should = await kit(...provider(), '--only', 'command-error-body');
    expect([should.exitCode, should.output.split('\n').at(-2)])
      .toEqual([0, '0 passed, 0 failed, 1 advice']);
  });

  it.each([
    [2, ['--role', 'driver'], /^.*one of receiver, provider, carrier.* See rastro-conformance --help\.\n$/],
    [3, ['--role', 'provider', '--command-token', 't', '--target', 'http://127.0.0.1:9'],
      /^http:\/\/127\.0\.0\.1:9 takes no connection within 3 s \(ECONNREFUSED\)\.\n$/],
  ])('ends with %i and one sentence for %j', async (code, words, sentence) => {
    const { exitCode, errors } = await kit(...words);
    expect(exitCode).toBe(code);
    expect(errors).toMatch(sentence);
  });
});

/** Runs the installed program as its name, with only the folder's own packages in reach. */
function program(folder: string, words: readonly string[]): Promise<{
  readonly exitCode: number | null; readonly output: string; readonly errors: string;
}> {
  const child = spawn(process.execPath, [
    join(folder, 'node_modules', '.bin', 'rastro-conformance'), ...words,
  ], { cwd: folder, env: { ...AS_KIT } });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => { output += part.toString(); });
  child.stderr.on('data', (part: Buffer) => { errors += part.toString(); });
  return new Promise((done) => {
    child.on('close', (exitCode) => { done({ exitCode, output, errors }); });
  });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
