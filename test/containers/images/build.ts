import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../../../infra/local/cache.ts';
import type { Engine } from '../engine/engine.ts';
import type { AskedFor, StandIn } from './asked-for.ts';
import { contentOf } from './context.ts';
import { baseArchive, nodeVersion, writeContext } from './contexts.ts';

/** Where stand-ins are built, and from what. */
export interface StandInBuild {
  readonly docker: Engine['docker'];
  readonly cache: Cache;
  /** A folder that may be written; it is emptied. */
  readonly work: string;
  /** `node_modules` of the lockfile. */
  readonly modules: string;
  readonly print: (line: string) => void;
}

const RELEASE = 'bookworm';
const BASE = `debian:${RELEASE}-slim`;
const PARENT = 'rastro-stand-in/java:1';
/** The label by which an image is found to be of today's content. */
const LABEL = 'rastro.content';
const BUILD_MS_MAX = 900_000;

/** Makes Debian's base and an image for each name, unless it is there as it should be. */
export async function buildStandIns(
  asked: readonly AskedFor[], build: StandInBuild,
): Promise<void> {
  const node = asked.find(({ standIn }) => standIn === 'node');
  const wanted = `${nodeVersion(build.modules)}-${RELEASE}-slim`;
  if (node?.image.endsWith(`:${wanted}`) !== true) {
    throw new Error(`The Dockerfile begins with ${node?.image ?? 'no node'}, not with node:${wanted},`
      + ' which the lockfile has.');
  }
  await importBase(build);
  await buildOne('java', PARENT, [], build);
  for (const { standIn, image } of [node, ...asked.filter((each) => each !== node)]) {
    const args = standIn === 'clickhouse' ? ['--build-arg', `NODE=${node.image}`] : [];
    await buildOne(standIn, image, args, build);
  }
}

async function importBase({ docker, cache }: StandInBuild): Promise<void> {
  const archive = await baseArchive(cache, RELEASE);
  if (await labelOf(docker, BASE) === RELEASE) return;
  await docker(['import', '--change', `LABEL ${LABEL}=${RELEASE}`, archive, BASE], BUILD_MS_MAX);
}

async function buildOne(
  standIn: StandIn | 'java', image: string, args: readonly string[],
  { docker, cache, work, modules, print }: StandInBuild,
): Promise<void> {
  const folder = join(work, standIn);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await writeContext(standIn, folder, modules, cache);
  const content = contentOf(folder, image, ...args);
  if (await labelOf(docker, image) !== content) {
    const beganMs = performance.now();
    await docker([
      'build', '--network', 'host', '--label', `${LABEL}=${content}`, ...args, '--tag', image, folder,
    ], BUILD_MS_MAX);
    print(`made ${image} in ${((performance.now() - beganMs) / 1_000).toFixed(0)} s`);
  }
  rmSync(folder, { recursive: true, force: true });
}

async function labelOf(docker: Engine['docker'], image: string): Promise<string | undefined> {
  const format = `{{index .Config.Labels "${LABEL}"}}`;
  return docker(['image', 'inspect', '--format', format, image])
    .then((text) => text.trim(), () => undefined);
}
