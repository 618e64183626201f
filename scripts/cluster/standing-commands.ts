import { join } from 'node:path';
import type { Cache } from '../../infra/local/cache.ts';
import { example, type Command, type Does } from '../../services/adapters/command-line/command-line.ts';
import { applyOverlay, type Overlay } from '../../test/cluster/overlays.ts';
import { requireKubernetes } from '../../test/cluster/programs/kubernetes.ts';
import { layDown, standing, standUp, type Standing } from '../../test/cluster/standing.ts';
import { lastFixes, standUpProduct } from '../../test/cluster/standing-product.ts';
import { requireCluster } from '../../test/cluster/tools.ts';
import { overlayFrom, productFrom } from '../../test/cluster/words.ts';

/** What the commands of a cluster that stays are given. */
export interface StandingCommands {
  readonly root: string;
  readonly cache: Cache;
  /** What each exit code means, for the help. */
  readonly codes: string;
  readonly print: (line: string) => void;
}

/** Adds `up`, `vehicles`, `apply`, `kubectl` and `down`. */
export function standingCommands(
  command: Command, does: Does<undefined, number>, { root, cache, codes, print }: StandingCommands,
): void {
  const file = join(root, '.rastro', 'cluster.json');
  const current = async (): Promise<Standing> => (
    standing(file, { kubernetes: await requireKubernetes(cache) }));

  async function up(product: 'product' | undefined): Promise<number> {
    if (product !== undefined) {
      await standUpProduct(file, { root, cache, print });
      print('up, and devices drive: npm run cluster -- vehicles');
      return 0;
    }
    const { folder } = await standUp(file, await requireCluster(cache, print));
    print(`up; its logs are in ${folder}`);
    return 0;
  }

  async function apply(overlay: Overlay): Promise<number> {
    const tools = await requireCluster(cache, print);
    const { plane, folder } = standing(file, tools);
    const { taken, complaints } = await applyOverlay(plane, overlay, {
      root, kustomize: tools.kustomize, work: join(folder, 'rendered'),
    });
    complaints.forEach(print);
    print(`${taken} resources of ${overlay} taken`);
    return complaints.length === 0 && taken > 0 ? 0 : 1;
  }

  example(command.command('up').description('A control plane with every definition, which stays; with'
    + ' product, a node that runs the product, and devices that drive.')
    .argument('[product]', 'the word product', productFrom)
    .action(does((_ports, product: 'product' | undefined) => up(product))),
  'npm run cluster -- up product', codes);
  example(command.command('vehicles').description('Where the vehicles are, as the tables have it.')
    .action(does(async () => {
      print(await lastFixes(await current()));
      return 0;
    })), 'npm run cluster -- vehicles', codes);
  example(command.command('apply').description('Applies an overlay to the one that is up.')
    .argument('<overlay>', 'dev or prod', overlayFrom)
    .action(does((_ports, overlay: Overlay) => apply(overlay))), 'npm run cluster -- apply prod', codes);
  example(command.command('kubectl').description('kubectl as its administrator.')
    .argument('<words...>', 'what kubectl is asked; after --').action(does(async (_ports, words: string[]) => {
      print((await (await current()).plane.kubectl(words)).trimEnd());
      return 0;
    })), 'npm run cluster -- kubectl -- get jobs --all-namespaces', codes);
  example(command.command('down').description('Ends it.').action(does(async () => {
    const left = await layDown(file);
    left.forEach((process) => { print(`left the process ${process}`); });
    return left.length === 0 ? 0 : 1;
  })), 'npm run cluster -- down', codes);
}
