import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildOnce, type Cache } from '../../infra/local/cache.ts';
import { run } from '../../infra/local/command.ts';
import type { NaiveFix } from '../support/naive-days/naive-days.ts';
import type { Found } from './score.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MS_MAX = 900_000;

/** Has MovingPandas, out of PyPI, find stops of 300 s within a diameter in each track. */
export async function foundByMovingPandas(
  cache: Cache, tracks: readonly (readonly NaiveFix[])[], diameterM: number,
): Promise<readonly Found[]> {
  const packages = await installed(cache);
  const child = spawn('python3', [join(import.meta.dirname, 'moving_pandas.py')], {
    env: { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const points = tracks.map((fixes) => (
    fixes.map(({ ts, latitude, longitude }) => [ts, latitude, longitude])
  ));
  child.stdin.end(JSON.stringify({ diameter_m: diameterM, tracks: points }));
  const rows = JSON.parse(await text(child.stdout)) as readonly {
    readonly stops: readonly (readonly [number, number])[]; readonly meters: number;
  }[];
  return rows.map(({ stops, meters }) => (
    { stops: stops.map(([from, to]) => ({ from, to })), meters }
  ));
}

async function installed(cache: Cache): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  return buildOnce(cache, `stops-${digest.slice(0, 12)}`, 'stops', async (draft) => {
    await run('python3', [
      '-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--only-binary', ':all:',
      '--disable-pip-version-check', '--root-user-action', 'ignore',
      '--target', draft, '-r', REQUIREMENTS,
    ], { deadlineMs: INSTALL_MS_MAX });
  });
}
