import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from '../local/cache.ts';
import { run, runs } from '../local/command.ts';

const INSTALL_MS_MAX = 1_800_000;

interface PackagedProgram {
  readonly package: string;
  readonly program: string;
}

const PROMETHEUS: PackagedProgram = { package: 'prometheus', program: 'Prometheus' };
const ALERTMANAGER: PackagedProgram = {
  package: 'prometheus-alertmanager', program: 'Alertmanager',
};

/** promtool of this machine, or else of Debian's package, which is unpacked and not installed. */
export async function promtool(cache: Cache): Promise<string> {
  return await found(cache, 'promtool', PROMETHEUS);
}

/** The server Prometheus, found or brought in the same way. */
export async function requirePrometheus(root: string): Promise<string> {
  return prometheusOf(cacheOf(root));
}

/**
 * The words that start the server Alertmanager, found or brought in the same way. Debian's reads a
 * template below `/usr/share`, where the one that is unpacked sees its own.
 */
export async function requireAlertmanager(
  root: string,
): Promise<readonly [string, ...string[]]> {
  if (await runs(ALERTMANAGER.package, ['--version'])) return [ALERTMANAGER.package];
  const folder = join(await unpacked(cacheOf(root), ALERTMANAGER), '..', '..');
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c',
    `mount --bind "$0/usr/share" /usr/share && exec "$0/usr/bin/${ALERTMANAGER.package}" "$@"`,
    folder];
}

/** The same, by way of a cache that is known. */
export async function prometheusOf(cache: Cache): Promise<string> {
  return found(cache, 'prometheus', PROMETHEUS);
}

async function found(cache: Cache, name: string, source: PackagedProgram): Promise<string> {
  return await runs(name, ['--version']) ? name : join(await unpacked(cache, source), name);
}

function cacheOf(root: string): Cache {
  const dir = process.env['RASTRO_CACHE_DIR'] ?? join(root, '.rastro', 'cache');
  return { dir, log: () => undefined, waitMsMax: INSTALL_MS_MAX };
}

/** The folder of programs of Debian's package; no service of the machine comes with it. */
async function unpacked(
  cache: Cache, { package: name, program }: PackagedProgram,
): Promise<string> {
  const folder = await buildOnce(cache, name, name, async (draft) => {
    if (!await runs('apt-get', ['--version'])) {
      throw new Error(`Neither ${program} nor apt-get is here: install Debian's package ${name}.`);
    }
    if (process.getuid?.() === 0) await run('apt-get', ['-qq', 'update'], { deadlineMs: 300_000 });
    await run('apt-get', ['-qq', 'download', name], {
      cwd: draft, deadlineMs: INSTALL_MS_MAX,
    });
    const packages = readdirSync(draft).filter((each) => each.endsWith('.deb'));
    for (const file of packages) {
      await run('dpkg-deb', ['-x', file, '.'], { cwd: draft, deadlineMs: 60_000 });
      rmSync(join(draft, file));
    }
  });
  return join(folder, 'usr', 'bin');
}
