import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeServices } from '../../../infra/check/compose-files.ts';
import { buildStandIns } from '../images/build.ts';
import { imagesAskedFor } from '../images/asked-for.ts';
import { edit, tagOf } from '../product.ts';
import { complaintOf, secondsSince, type Act, type ActFinding, type ContainerStage } from './act.ts';

const DOCKERFILE = 'infra/images/Dockerfile';
const BUILD_MS_MAX = 1_200_000;
/** Of the compose file: all parts, and what drives. */
export const PROFILE = 'demo';

/** Both images of the Dockerfile as it is, on stand-ins under the names that our files use. */
export const buildImage: Act = {
  name: 'image',
  does: 'builds both images from the Dockerfile as it is',
  run: build,
  offences: [{
    name: 'a folder that is not there is copied',
    seed: ({ product }) => Promise.resolve(edit(product, {
      file: DOCKERFILE, text: 'COPY infra/kafka ./infra/kafka', instead: 'COPY infra/absent ./infra/absent',
    })),
    said: /infra\/absent/,
  }],
};

/** Makes an image for each name that our files use, unless the cache has it; gives the names. */
export async function bringStandIns(stage: ContainerStage): Promise<readonly string[]> {
  const { root, cache, folder, print } = stage;
  const { docker } = await stage.engine('host');
  const asked = imagesAskedFor(
    readFileSync(join(root, DOCKERFILE), 'utf8'), composeServices(root), PROFILE,
  );
  await buildStandIns(asked, {
    docker, cache, print, work: join(folder, 'contexts'), modules: join(root, 'node_modules'),
  });
  return asked.map(({ image }) => image);
}

async function build(stage: ContainerStage): Promise<ActFinding> {
  const standIns = await bringStandIns(stage);
  const tag = tagOf(stage.product);
  const beganMs = performance.now();
  try {
    await buildTarget(stage, 'platform', `rastro:${tag}`);
    await buildTarget(stage, 'provider', `rastro-provider:${tag}`);
  } catch (error) {
    return { seen: 'no image', complaints: [complaintOf(error)] };
  }
  return {
    seen: `rastro:${tag} and rastro-provider:${tag} in ${secondsSince(beganMs)},`
      + ` on ${standIns.join(', ')}`,
    complaints: [],
  };
}

/** Builds one stage of the copy's Dockerfile with whichever engine runs. */
export async function buildTarget(
  { product, engine, engineNetwork }: BuildPlace, target: string, image: string,
): Promise<void> {
  const { docker } = await engine(engineNetwork());
  await docker([
    'build', '--network', 'host', '--file', join(product, DOCKERFILE), '--target', target,
    '--tag', image, product,
  ], BUILD_MS_MAX);
}

type BuildPlace = Pick<ContainerStage, 'product' | 'engine' | 'engineNetwork'>;
