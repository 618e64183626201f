import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { edit, tagAfter, tagOf } from '../product.ts';
import { accountOf } from './account.ts';
import { secondsSince, type Act, type ActFinding, type ContainerStage } from './act.ts';
import { bringUp } from './bring-up.ts';
import { buildTarget } from './build-image.ts';
import { countRows, troublesOf } from './compose.ts';

const COMPOSE_FILES = [
  'infra/compose/compose.yaml', 'infra/compose/folders.compose.yaml',
  'infra/compose/tools.compose.yaml',
] as const;
const PROGRAMS = ['gateways', 'workers'] as const;
const MORE_ROWS = 100;
const ROWS_MS_MAX = 120_000;

/** Another image under the next tag, while the demonstration drives. */
export const upgrade: Act = {
  name: 'upgrade',
  does: 'the compose file with the next tag, while devices drive; nothing is lost or doubled',
  run: toNextTag,
  offences: [{
    name: 'the programs of the next tag do not start',
    async seed({ product }) {
      const undo = edit(product, {
        file: 'infra/images/Dockerfile', text: 'ENTRYPOINT ["node"]',
        instead: 'ENTRYPOINT ["node", "--no-such-flag"]',
      });
      return Promise.resolve(undo);
    },
    said: /no-such-flag/,
  }],
};

async function toNextTag(stage: ContainerStage): Promise<ActFinding> {
  const { product } = stage;
  const tag = tagOf(product);
  const next = tagAfter(tag);
  await bringUp(stage, ['demo']);
  await moreRows(stage);
  // A file that only the next one has, so that it is another image.
  writeFileSync(join(product, 'services/kernel/release.txt'), `${next}\n`);
  await buildTarget(stage, 'platform', `rastro:${next}`);
  const undo = COMPOSE_FILES.map((file) => edit(product, {
    file, text: `image: rastro:${tag}`, instead: `image: rastro:${next}`,
  }));
  const beganMs = performance.now();
  const { complaints } = await bringUp(stage);
  if (complaints.length > 0) {
    const troubles = await troublesOf(stage);
    // Back to the release before, as an operator goes.
    undo.forEach((back) => { back(); });
    await bringUp(stage);
    return { seen: `rastro:${next} does not start`, complaints: [...complaints, ...troubles] };
  }
  const took = secondsSince(beganMs);
  const stale = await notOf(stage, `rastro:${next}`);
  await moreRows(stage);
  const account = await accountOf(stage);
  return {
    seen: `rastro:${tag} to rastro:${next}, healthy after ${took}; ${account.seen}`,
    complaints: [...stale, ...account.complaints],
  };
}

/** Resolves when rows have come that were not there before. */
async function moreRows(stage: ContainerStage): Promise<void> {
  const { rows } = await countRows(stage);
  await waitFor(async () => (await countRows(stage)).rows >= rows + MORE_ROWS, {
    what: `${MORE_ROWS} more rows`, deadlineMs: ROWS_MS_MAX, everyMs: 1_000,
  });
}

async function notOf(stage: ContainerStage, image: string): Promise<readonly string[]> {
  const { docker } = await stage.engine('own');
  const wrong: string[] = [];
  for (const program of PROGRAMS) {
    const id = (await stage.compose(['ps', '--quiet', program])).trim();
    const found = (await docker(['inspect', '--format', '{{.Config.Image}}', id])).trim();
    if (found !== image) wrong.push(`${program} runs ${found}, not ${image}`);
  }
  return wrong;
}
