import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PART_NAMES } from '../../../infra/local/part.ts';
import { ownPlatform, requirePlatform } from '../../../infra/local/platform.ts';
import { startStack } from '../../../infra/local/stack.ts';

const SERVED = { system: 'linux', architecture: 'x64', glibc: '2.36' } as const;

describe('the machine of a local stack', () => {
  it('is Linux x64 with glibc, as this one is', () => {
    expect(ownPlatform()).toMatchObject({ system: 'linux', architecture: 'x64' });
    expect(ownPlatform().glibc).toMatch(/^2\.\d+$/);
    expect(() => requirePlatform(PART_NAMES)).not.toThrow();
  });

  it.each([
    ['darwin arm64', { ...SERVED, system: 'darwin', architecture: 'arm64', glibc: undefined },
      /^kafka, redis, clickhouse, registry can .* is darwin arm64: .* by KAFKA_BROKERS, REDIS_URL, CLICKHOUSE_URL, SCHEMA_REGISTRY_URL\.$/],
    ['linux arm64', { ...SERVED, architecture: 'arm64' }, /^clickhouse can .* is linux arm64: .* by CLICKHOUSE_URL\.$/],
    ['linux x64 without glibc', { ...SERVED, glibc: undefined }, /^clickhouse can .* is linux x64 without glibc: /],
  ])('is not %s, which one sentence says', (_name, platform, sentence) => {
    expect(() => requirePlatform(PART_NAMES, platform)).toThrow(sentence);
  });

  it('may be any where the parts run elsewhere', () => {
    expect(() => requirePlatform([], { ...SERVED, system: 'darwin' })).not.toThrow();
    expect(() => requirePlatform(['kafka', 'redis'], { ...SERVED, glibc: undefined })).not.toThrow();
  });

  describe('of another kind', () => {
    afterEach(() => { vi.unstubAllGlobals(); });

    it('is refused before anything is made or brought', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rastro-platform-'));
      const lines: string[] = [];
      vi.stubGlobal('process', Object.create(process, { platform: { value: 'darwin' } }));
      try {
        await expect(startStack({
          dataDir: join(folder, 'data'), cacheDir: join(folder, 'cache'), ports: 'free', env: {},
          log: (_grade, line) => void lines.push(line),
        })).rejects.toThrow(/this machine is darwin x64/);
        expect([readdirSync(folder), lines]).toEqual([[], []]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
