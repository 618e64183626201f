import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../../infra/local/command.ts';
import type { ContainerStage } from '../../containers/acts/act.ts';
import { buildImage, buildTarget } from '../../containers/acts/build-image.ts';
import type { Engine } from '../../containers/engine/engine.ts';
import { tagAfter, tagOf } from '../../containers/product.ts';
import type { Keda } from '../programs/keda.ts';
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
  /** What scales Pods; absent where nothing does. */
  readonly keda: Pick<Keda, 'operator' | 'adapter'> | undefined;
  readonly nodeImages: string;
}

const NAMES = 'rastro-stand-in/coredns:1';
/** The image of both programs of KEDA. */
export const KEDA_IMAGE = 'rastro-stand-in/keda:1';
const SOURCES = join(import.meta.dirname, 'images');
/** Images of others that a cluster runs and our files name. */
const PARTS = /^(apache\/kafka|redis|apicurio\/apicurio-registry|clickhouse\/clickhouse-server):/;
const IMAGE_MS_MAX = 3_600_000;

/** Builds every image with an engine, and saves what the node does not have as it is now. */
export async function bringImages(
  { stage, coreDns, keda, nodeImages }: ImagesGiven,
): Promise<BroughtImages> {
  const { complaints } = await buildImage.run(stage);
  if (complaints.length > 0) throw new Error(`The image: ${complaints.join('; ')}`);
  const { docker } = await stage.engine('host');
  const tag = tagOf(stage.product);
  const next = tagAfter(tag);
  writeFileSync(join(stage.product, 'services/kernel/release.txt'), `${next}\n`);
  await buildTarget(stage, 'platform', `rastro:${next}`);
  const catatonit = (await outputOf('which', ['catatonit'])).trim();
  const build = (name: string, image: string, programs: Programs): Promise<void> => (
    buildSmall({ stage, docker, context: name, image, programs }));
  await build('pause', PAUSE, { catatonit });
  await build('coredns', NAMES, { coredns: coreDns });
  if (keda !== undefined) {
    await build('keda', KEDA_IMAGE, { keda: keda.operator, 'keda-adapter': keda.adapter });
  }
  const all = (await docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'])).split('\n');
  const names = [
    PAUSE, NAMES, ...(keda === undefined ? [] : [KEDA_IMAGE]), `rastro:${tag}`, `rastro:${next}`,
    ...all.filter((name) => PARTS.test(name)),
  ];
  const ids = await idsOf(docker, names);
  const lacking = lackingOf(ids, importedIds(nodeImages));
  if (lacking.length === 0) return { ids, tag, next };
  const archive = join(stage.folder, 'images.tar');
  await docker(['save', '--output', archive, ...lacking], IMAGE_MS_MAX);
  return { ids, tag, next, archive };
}

/** Files of programs, by the names that they have in their image. */
type Programs = Readonly<Record<string, string>>;

interface SmallImage {
  readonly stage: Pick<ContainerStage, 'folder'>;
  readonly docker: Engine['docker'];
  /** The folder of its sources, among those of this module. */
  readonly context: string;
  readonly image: string;
  readonly programs: Programs;
}

/** An image of programs and nothing else. */
async function buildSmall(
  { stage, docker, context, image, programs }: SmallImage,
): Promise<void> {
  const folder = join(stage.folder, 'contexts', context);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(SOURCES, context), folder, { recursive: true });
  for (const [name, file] of Object.entries(programs)) copyFileSync(file, join(folder, name));
  await docker(['build', '--network', 'none', '--tag', image, folder], IMAGE_MS_MAX);
}

async function idsOf(
  docker: Engine['docker'], names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const ids = await docker(['image', 'inspect', '--format', '{{.Id}}', ...names]);
  return Object.fromEntries(ids.trim().split('\n').map((id, index) => [names[index] ?? '', id]));
}
