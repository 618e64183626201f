import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../../infra/local/command.ts';
import type { ContainerStage } from '../../containers/acts/act.ts';
import { buildImage, buildTarget } from '../../containers/acts/build-image.ts';
import type { Engine } from '../../containers/engine/engine.ts';
import { tagAfter, tagOf } from '../../containers/product.ts';
import { PAUSE } from './containerd.ts';
import { importedIds, lackingOf, type SavedImages } from './import-images.ts';

/** What a node runs, with the two versions of the product. */
export interface BroughtImages extends SavedImages {
  readonly tag: string;
  /** The version after it: the same product and one file more. */
  readonly next: string;
}

/** Where images are built, and for which node. */
export interface ImagesGiven {
  readonly stage: ContainerStage;
  /** The program of cluster DNS. */
  readonly coreDns: string;
  readonly nodeImages: string;
}

const NAMES = 'rastro-stand-in/coredns:1';
const SOURCES = join(import.meta.dirname, 'images');
/** Images of others that a cluster runs and our files name. */
const PARTS = /^(apache\/kafka|redis|apicurio\/apicurio-registry|clickhouse\/clickhouse-server):/;
const SAVE_MS_MAX = 3_600_000;

/** Builds every image with an engine, and saves what the node does not have as it is now. */
export async function bringImages(
  { stage, coreDns, nodeImages }: ImagesGiven,
): Promise<BroughtImages> {
  const { complaints } = await buildImage.run(stage);
  if (complaints.length > 0) throw new Error(`The image: ${complaints.join('; ')}`);
  const { docker } = await stage.engine('host');
  const tag = tagOf(stage.product);
  const next = tagAfter(tag);
  writeFileSync(join(stage.product, 'services/kernel/release.txt'), `${next}\n`);
  await buildTarget(stage, 'platform', `rastro:${next}`);
  const catatonit = (await outputOf('which', ['catatonit'])).trim();
  await buildSmall(stage, docker, 'pause', PAUSE, catatonit);
  await buildSmall(stage, docker, 'coredns', NAMES, coreDns);
  const all = (await docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'])).split('\n');
  const names = [
    PAUSE, NAMES, `rastro:${tag}`, `rastro:${next}`, ...all.filter((name) => PARTS.test(name)),
  ];
  const ids = await idsOf(docker, names);
  const lacking = lackingOf(ids, importedIds(nodeImages));
  if (lacking.length === 0) return { ids, tag, next };
  const archive = join(stage.folder, 'images.tar');
  await docker(['save', '--output', archive, ...lacking], SAVE_MS_MAX);
  return { ids, tag, next, archive };
}

/** An image of one program. */
async function buildSmall(
  { folder }: ContainerStage, docker: Engine['docker'], name: string, image: string, program: string,
): Promise<void> {
  const context = join(folder, 'contexts', name);
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  cpSync(join(SOURCES, name), context, { recursive: true });
  copyFileSync(program, join(context, name === 'pause' ? 'catatonit' : name));
  await docker(['build', '--network', 'none', '--tag', image, context]);
}

async function idsOf(
  docker: Engine['docker'], names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const ids = await docker(['image', 'inspect', '--format', '{{.Id}}', ...names]);
  return Object.fromEntries(ids.trim().split('\n').map((id, index) => [names[index] ?? '', id]));
}
