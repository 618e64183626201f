import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = process.cwd();
const run = promisify(execFile);
const dockerfile = readFileSync(join(ROOT, 'infra/images/Dockerfile'), 'utf8');
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');

/** What the named stages take from the repository. */
function copiedBy(...stages: readonly string[]): readonly string[] {
  return dockerfile.split(/^FROM /m)
    .filter((text) => stages.some((stage) => text.split('\n')[0]?.endsWith(` AS ${stage}`)))
    .flatMap((text) => [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)])
    .flatMap((match) => (match[1] ?? '').split(' '));
}

const platform = copiedBy('base', 'platform');
const provider = copiedBy('base', 'provider');
const built = [...new Set([...copiedBy('packages'), ...copiedBy('site')])].toSorted();

/** A start loads thousands of files; on a busy machine it is slow and nothing else is wrong. */
const START_MS_MAX = 120_000;

const folders = { platform: '', provider: '' };

/** The files of both images, with the packages of this machine. */
beforeAll(() => {
  folders.platform = unpack(platform);
  folders.provider = unpack(provider);
});
afterAll(() => {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

function unpack(paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-image-'));
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function says(image: keyof typeof folders, args: readonly string[]): Promise<string> {
  const options = { cwd: folders[image], env: { PATH: process.env['PATH'] } };
  return run(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );
}

describe('the image', () => {
  it.each([
    ['platform', ['services/gateways/main.ts', 'all'], /Bad configuration of gateways/],
    ['platform', ['services/workers/main.ts', 'all'], /Bad configuration of workers/],
    ['platform', ['services/cli/main.ts', '--help'], /^Usage: rastro /],
    ['platform', ['services/cli/rastro.mjs', 'lag', '--help'], /^Usage: rastro lag /],
    ['provider', ['services/provider/main.ts'], /Bad configuration/],
    ['platform', ['scripts/topics.ts', '--help'], /topics of the catalog/],
    ['platform', ['scripts/migrate.ts'], /sink_unavailable/],
  ] as const)('has in %s every file that %j needs', async (image, args, word) => {
    const text = await says(image, args);
    expect(text).toMatch(word);
    expect(text).not.toMatch(/ERR_MODULE_NOT_FOUND|ENOENT/);
  }, START_MS_MAX);

  it('is given nothing that it does not name, and keeps nothing it needs from the build', () => {
    const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed.toSorted()).toEqual(built);
    expect(ignored).toContain('*');
    expect([...platform, ...provider].filter((path) => !built.includes(path.split('/')[0] ?? '')))
      .toEqual([]);
  });

  it('is given no secret and nothing that was made on this machine', () => {
    const lines = readFileSync(join(ROOT, '.gitignore'), 'utf8').trim().split('\n');
    for (const line of lines.filter((name) => name !== 'coverage/')) {
      const name = line.replace(/\/$/, '');
      expect(ignored).toContain(name.includes('/') ? name : `**/${name}`);
    }
  });

  it('takes whole folders for the site alone, whose tools it does not have', () => {
    const whole = ['docs', 'infra', 'scripts', 'services', 'test'];
    expect([...platform, ...provider].filter((path) => whole.includes(path))).toEqual([]);
    expect(dockerfile).toMatch(/^COPY --from=site \/app\/site \.\/site$/m);
  });

  it('carries no recorded data unless it is the provider', () => {
    expect(dockerfile.split(/^FROM /m).at(-1)).toMatch(/ AS platform$/m);
    expect(existsSync(join(folders.platform, 'services/provider'))).toBe(false);
    expect(existsSync(join(folders.provider, 'services/provider/tracks'))).toBe(true);
  });

  it('starts without privileges, by no shell', () => {
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node"\]$/m);
    const images = dockerfile.split(/^FROM /m)
      .filter((text) => / AS (base|platform|provider)$/m.test(text));
    expect(images).toHaveLength(3);
    expect(images.join('')).not.toMatch(/^RUN /m);
  });

  it('brings what Node compiled, by the user who runs it and may not write it', () => {
    const compiled = dockerfile.split(/^FROM /m).find((text) => text.startsWith('base AS compiled'));
    const steps = [...(compiled ?? '').matchAll(/^USER (\S+)$|^RUN (for program|chown)/gm)]
      .map(([, user, step]) => user ?? step);
    expect(steps).toEqual(['0', '10001', 'for program', '0', 'chown', '10001']);
    expect(dockerfile).toMatch(/^ENV .*NODE_COMPILE_CACHE=\/app\/compiled$/m);
    expect(dockerfile).toMatch(/^COPY --from=compiled \/app\/compiled \.\/compiled$/m);
  });
});
