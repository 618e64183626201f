/** Makes the boxes of countries, by which warnings know coordinates that cannot be meant. */
import { readFileSync, writeFileSync } from 'node:fs';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { boxesOf, type Topology } from './build-country-boxes/boxes.ts';

const TARGET = new URL('../schemas/data/country-boxes.json', import.meta.url);

await runScript((command, does) => {
  example(command.name('node scripts/build-country-boxes.ts')
    .argument('<borders>', 'countries-10m.json of the npm package world-atlas')
    .description('Makes schemas/data/country-boxes.json of the borders of Natural Earth, which are'
      + ' in the public domain.')
    .action(does(async (_ports, borders: string) => {
      const boxes = boxesOf(JSON.parse(readFileSync(borders, 'utf8')) as Topology);
      const lines = [...boxes].toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([country, list]) => `  "${country}": ${JSON.stringify(list)}`);
      writeFileSync(TARGET, `{\n${lines.join(',\n')}\n}\n`);
      const count = [...boxes.values()].flat().length;
      process.stdout.write(`${boxes.size} countries, ${count} boxes\n`);
      return 0;
    })),
  'node scripts/build-country-boxes.ts countries-10m.json',
  'Exit codes: 0 done, 1 failed, 2 wrong use.');
});
