/** `npm start`: everything on one machine, with a replay of recorded tracks. */
import { join, resolve } from 'node:path';
import { runDemo } from '../infra/local/demo/run-demo.ts';
import {
  example, numberFrom, wholeFrom,
} from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly dir: string;
  readonly port: number;
  readonly replay: boolean;
  readonly devices: number;
  readonly speed: number;
  readonly for?: number;
}

const STATE_DIR = resolve(import.meta.dirname, '..', '.rastro');
const secondsFrom = (text: string): number => numberFrom(1, 86_400)(text.replace(/s$/, ''));

const leaving = firstSignal();
await runScript((command, does) => {
  example(command.name('npm start --')
    .description('Starts everything: Kafka, Redis, ClickHouse, registry, gateways, workers, provider.')
    .option('--for <time>', 'stop the replay after that time, such as 60s, compare every item, and'
      + ' exit with 1 on a difference', secondsFrom)
    .option('--no-replay', 'everything but the reference provider')
    .option('--devices <n>', 'devices that are replayed', wholeFrom(1, 50_000), 250)
    .option('--speed <x>', 'how much faster than the road', numberFrom(0.01, 10_000), 60)
    .option('--port <p>', 'HTTP on P, everything else on P+1 to P+15', wholeFrom(1_024, 65_500), 8_080)
    .option('--dir <dir>', 'state and env file (default .rastro); another copy needs another one',
      STATE_DIR)
    .action(does((_ports, { for: forSeconds, dir, ...words }: Words) => (
      runDemo({ ...words, dir: resolve(dir), forSeconds }, leaving.signal)
    ))),
  `npm start -- --for 30s --dir ${join('.rastro', 'second')} --port 9080`,
  'Exit codes: 0 done, 1 failed or an item differs, 2 wrong use, 130 ended while starting.');
});
