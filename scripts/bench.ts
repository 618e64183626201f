/** `npm run bench`: cost, speed and freshness, beside the floor and the peers (test/bench). */
import { join, resolve } from 'node:path';
import {
  example, numberFrom, oneOf, wholeFrom, wrongValue,
} from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { DEFAULT_ROWS, ROWS, runBench, type BenchOptions } from '../test/bench/run-bench.ts';
import { PEERS, PEERS_OF_OTHERS, type EdgeSize } from '../test/bench/rows/run-edge.ts';

interface Words extends Pick<
  BenchOptions, 'rows' | 'peers' | 'sizes' | 'rounds' | 'devices' | 'known' | 'aged' | 'port'
> {
  readonly roundS: number;
  readonly sustainS: number;
  readonly sustainRate: number;
  readonly out?: string;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const CACHE_DIR = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
/** Every number of connections at the usual post, and every size of post at the usual number. */
const SIZES = '64x10,512x1,512x10,512x50,512x200,2048x10';
const KNOWN = '1000,100000,1000000';
const AGED = '10000,100000,1000000';

const listOf = <Item>(read: (text: string) => Item) => (text: string): readonly Item[] =>
  text.split(',').map(read);
const peersFrom = (text: string): BenchOptions['peers'] =>
  (text === 'none' ? [] : listOf(oneOf(PEERS))(text));
const sizesFrom = listOf((text): EdgeSize => {
  const [lines = '', locations = '', ...more] = text.split('x');
  if (more.length > 0) wrongValue('A size is such as 64x10.');
  return { lines: wholeFrom(1, 16_384)(lines), locations: wholeFrom(1, 1_000)(locations) };
});
const knownFrom = listOf(wholeFrom(1, 10_000_000));

// Ends as at any other end, so that no peer is left behind; parts of the stack die with us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => { process.exit(2); });
}
await runScript((command, does) => {
  example(command.name('npm run bench --')
    .description('Measures cost, speed and freshness beside a bare server and the peers. Nothing else'
      + ' should run on the machine; its load before the run is written down.')
    .option('--rows <names>', `of ${ROWS.join(', ')} (default all but sustained)`,
      listOf(oneOf(ROWS)), DEFAULT_ROWS)
    .option('--peers <names>', `of ${PEERS.join(', ')}, or none (default those of others)`,
      peersFrom, PEERS_OF_OTHERS)
    .option('--sizes <list>', `connections x locations of a post (default ${SIZES})`, sizesFrom,
      sizesFrom(SIZES))
    .option('--rounds <n>', 'interleaved rounds of each row at the edge', wholeFrom(1, 99), 3)
    .option('--round-s <s>', 'seconds of a round', numberFrom(0.1, 3_600), 2)
    .option('--devices <n>', 'devices that are tracked', wholeFrom(2, 100_000), 256)
    .option('--known <list>', `rising sizes of fleets for the row known (default ${KNOWN})`,
      knownFrom, knownFrom(KNOWN))
    .option('--aged <list>', `rising numbers of shipments for the row restart (default ${AGED})`,
      knownFrom, knownFrom(AGED))
    .option('--sustain-s <s>', 'seconds of the row sustained', numberFrom(1, 86_400), 600)
    .option('--sustain-rate <n>', 'its locations per second', wholeFrom(10, 1_000_000), 50_000)
    .option('--port <p>', 'first of a hundred ports', wholeFrom(1_024, 65_400), 28_600)
    .option('--out <dir>', 'folder for bench.md and bench.json; printed only when absent')
    .action(does((_ports, words: Words) => runBench({
      ...words, roundMs: words.roundS * 1_000, sustainMs: words.sustainS * 1_000,
      sustainLocationsPerSecond: words.sustainRate, cacheDir: join(CACHE_DIR, 'bench'),
      outDir: words.out === undefined ? undefined : resolve(words.out),
    }, ['npm run bench --', ...process.argv.slice(2)].join(' '), (text) => {
      process.stdout.write(text);
    }))),
  'npm run bench -- --rows edge,chain --rounds 5',
  'Exit codes: 0 measured, 1 a row is wrong, 2 wrong use or an error.');
}, { errorCode: 2 });
