import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../infra/local/command.ts';
import { openSpool } from '../../../services/clients/typescript/src/spool.ts';

const KIT = resolve(import.meta.dirname, '../../../services/clients/python');
const MS_MAX = 180_000;
const python = (args: readonly string[]): Promise<string> => run('python3', args, {
  cwd: KIT, deadlineMs: MS_MAX, env: { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
});

describe('the client kit for Python', () => {
  it('passes its tests', async () => {
    const said = await python(['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests']);
    const [, count] = /Ran (\d+) tests/.exec(said) ?? [];
    expect(Number(count)).toBeGreaterThanOrEqual(37);
    expect(said).toMatch(/^OK$/m);
  }, MS_MAX);

  it('reads the spool of the kit for TypeScript, with its bytes', async () => {
    const home = mkdtempSync(join(tmpdir(), 'rastro-two-kits-'));
    try {
      const dir = join(home, 'spool');
      const spool = await openSpool({ dir, segmentBytes: 100 });
      const bodies = ['{"one":1}', '{"é":"\\n"}', '{"three":[1,2,3]}'];
      const entries = [];
      for (const body of bodies) {
        const head = { call: 'locations', key: 'dé "1"', items: 1 };
        entries.push(...await spool.append([{ head, body: Buffer.from(body) }]));
      }
      entries.slice(0, 1).forEach(spool.finish);
      await spool.close();
      const program = join(home, 'read.py');
      writeFileSync(program, [
        'import json, pathlib, sys',
        'from rastro_client_kit.spool import Spool',
        `spool = Spool(pathlib.Path(${JSON.stringify(dir)}), 100)`,
        'print(json.dumps([[e.head.key, e.head.items, spool.read(e).decode()] for e in spool.left]))',
        'spool.close()',
      ].join('\n'));
      expect(JSON.parse(await python([program]))).toEqual(bodies.slice(1).map((body) => ['dé "1"', 1, body]));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }, MS_MAX);

  it('has the version of the kit for TypeScript', () => {
    const read = (file: string): string => readFileSync(join(KIT, file), 'utf8');
    const [, version] = /^version = "(.*)"$/m.exec(read('pyproject.toml')) ?? [];
    expect(JSON.parse(read('../typescript/package.json'))).toMatchObject({ version });
  });
});
