import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = process.cwd();
const run = promisify(execFile);
const dockerfile = readFileSync(join(ROOT, 'infra/images/Dockerfile'), 'utf8');
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');

/** What the last stage takes from the repository. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  .flatMap((match) => (match[1] ?? '').split(' '));
const places = [...new Set(copied)].toSorted();

/** A start loads thousands of files; on a busy machine it is slow and nothing else is wrong. */
const START_MS_MAX = 120_000;

let folder = '';

/** The files of the image, with the packages of this machine. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-image-'));
  for (const path of places) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function says(...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env: { PATH: process.env['PATH'] } };
  return run(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );
}

describe('the image', () => {
  it.each([
    [['services/gateways/main.ts', 'all'], /Bad configuration of gateways/],
    [['services/workers/main.ts', 'all'], /Bad configuration of workers/],
    [['services/cli/main.ts', '--help'], /rastro client add/],
    [['services/provider/main.ts'], /Bad configuration/],
    [['scripts/topics.ts', '--help'], /topics of the catalog/],
    [['scripts/migrate.ts'], /sink_unavailable/],
  ])('has every file that %j needs', async (args, word) => {
    const text = await says(...args);
    expect(text).toMatch(word);
    expect(text).not.toMatch(/ERR_MODULE_NOT_FOUND|ENOENT/);
  }, START_MS_MAX);

  it('is given nothing that it does not name, and keeps nothing it needs from the build', () => {
    const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed.toSorted()).toEqual(places);
  });

  it('starts as nobody, by no shell', () => {
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node"\]$/m);
    expect(dockerfile.split('FROM').at(-1)).not.toMatch(/^RUN /m);
  });
});
