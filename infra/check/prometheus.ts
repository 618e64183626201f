import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from '../local/cache.ts';
import { run, runs } from '../local/command.ts';

const INSTALL_MS_MAX = 1_800_000;

/** promtool of this machine, or else of Debian's package, which is unpacked and not installed. */
export async function promtool(cache: Cache): Promise<string> {
  return await runs('promtool', ['--version']) ? 'promtool' : join(await unpacked(cache), 'promtool');
}

/** The server Prometheus, found or brought in the same way. */
export async function requirePrometheus(root: string): Promise<string> {
  const dir = process.env['RASTRO_CACHE_DIR'] ?? join(root, '.rastro', 'cache');
  return prometheusOf({ dir, log: () => undefined, waitMsMax: INSTALL_MS_MAX });
}

/** The same, by way of a cache that is known. */
export async function prometheusOf(cache: Cache): Promise<string> {
  return await runs('prometheus', ['--version'])
    ? 'prometheus' : join(await unpacked(cache), 'prometheus');
}

/** The folder of programs of Debian's package; no service of the machine comes with it. */
async function unpacked(cache: Cache): Promise<string> {
  const folder = await buildOnce(cache, 'promtool', 'promtool', async (draft) => {
    if (!await runs('apt-get', ['--version'])) {
      throw new Error('Neither Prometheus nor apt-get is here: install Debian\'s package prometheus.');
    }
    if (process.getuid?.() === 0) await run('apt-get', ['-qq', 'update'], { deadlineMs: 300_000 });
    await run('apt-get', ['-qq', 'download', 'prometheus'], {
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
