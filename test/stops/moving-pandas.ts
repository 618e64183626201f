import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildOnce, type Cache } from '../../infra/local/cache.ts';
import { run } from '../../infra/local/command.ts';
import type { NaiveFix } from '../support/naive-fix.ts';
import type { Found, TimeSpan } from './score.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MS_MAX = 900_000;
const DIAMETER_M = 60;
const TRIP_M = 200;

type Pair = readonly [number, number];

interface Answer {
  readonly stops: readonly Pair[];
  readonly trips: readonly Pair[];
  readonly meters: number;
}

/** Has MovingPandas, out of PyPI, find stops of 300 s within 60 m in each track, and trips. */
export async function foundByMovingPandas(
  cache: Cache, tracks: readonly (readonly NaiveFix[])[],
): Promise<readonly Found[]> {
  const packages = await installed(cache);
  const child = spawn('python3', [join(import.meta.dirname, 'moving_pandas.py')], {
    env: { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const points = tracks.map((fixes) => (
    fixes.map(({ ts, latitude, longitude }) => [ts, latitude, longitude])
  ));
  child.stdin.end(JSON.stringify({ diameter_m: DIAMETER_M, trip_m: TRIP_M, tracks: points }));
  const printed = await text(child.stdout);
  const [code] = await ended as [number | null];
  if (code !== 0) throw new Error(`moving_pandas.py ended with ${String(code)}`);
  return (JSON.parse(printed) as readonly Answer[]).map(({ stops, trips, meters }) => (
    { stops: stops.map(spanOf), trips: trips.map(spanOf), meters }
  ));
}

function spanOf([from, to]: Pair): TimeSpan {
  return { from, to };
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
