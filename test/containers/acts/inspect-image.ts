import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageFacts } from '../images/facts.ts';
import { complaintsAbout, megabytes } from '../images/complaints.ts';
import { edit, tagOf, type TextEdit } from '../product.ts';
import type { Act, ActFinding, SeededOffence, ContainerStage } from './act.ts';
import { buildTarget } from './build-image.ts';

const DOCKERFILE = 'infra/images/Dockerfile';

/** What an operator may trust an image for. */
export const inspectImage: Act = {
  name: 'inspect',
  does: 'size, user, start, list of parts and refusal of bad settings',
  run: inspect,
  offences: [
    offence('it runs as root', { text: 'USER 10001:10001', instead: 'USER 0:0' }, /runs as 0:0/),
    offence('it starts by a shell', { text: 'ENTRYPOINT ["node"]', instead: 'ENTRYPOINT node "$@"' },
      /starts by a shell/),
    offence('it has no list of parts',
      { text: '/app/sbom.cdx.json ./sbom.cdx.json', instead: '/app/sbom.cdx.json ./parts.json' },
      /has no list of parts/),
  ],
};

async function inspect(stage: ContainerStage): Promise<ActFinding> {
  const { docker } = await stage.engine('own');
  const image = `rastro:${tagOf(stage.product)}`;
  const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(join(stage.product, DOCKERFILE), 'utf8')) ?? [];
  const facts = await imageFacts(docker, image, base);
  return {
    seen: `${image}: ${megabytes(facts.ownBytes)} of its own, user ${facts.user},`
      + ` ${facts.packages.length} packages, all listed; refuses bad settings in one sentence`,
    complaints: complaintsAbout(facts).map((complaint) => `${image} ${complaint}`),
  };
}

/** An edit of the Dockerfile, built under the same name, and built again as it was. */
function offence(name: string, change: Omit<TextEdit, 'file'>, said: RegExp): SeededOffence {
  return {
    name, said,
    async seed(stage) {
      const image = `rastro:${tagOf(stage.product)}`;
      await stage.engine('own');
      const undo = edit(stage.product, { file: DOCKERFILE, ...change });
      await buildTarget(stage, 'platform', image);
      return async () => {
        undo();
        await buildTarget(stage, 'platform', image);
      };
    },
  };
}
