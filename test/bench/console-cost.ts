/**
 * How fast the console's map is: `node test/bench/console-cost.ts frames|first|pixel [number]`.
 * `frames`: frames with so many devices (10,000) that move once a second. `first`: the first full
 * picture of so many devices (100,000). `pixel`: from the 202 of a fix to its pixel while so many
 * locations a second (5,000) come. Prints one line of JSON.
 */
import { measureFirstPicture, measureFrames } from './console/in-memory.ts';
import { measureToPixel } from './console/to-pixel.ts';

const [what = '', number] = process.argv.slice(2);
const [FRAME_SECONDS, PICTURE_ROUNDS, PROBES] = [30, 5, 120];
const BENCH_PORT = 9_300;

const MEASURES: Readonly<Record<string, () => Promise<object>>> = {
  frames: () => measureFrames(Number(number ?? 10_000), FRAME_SECONDS),
  first: () => measureFirstPicture(Number(number ?? 100_000), PICTURE_ROUNDS),
  pixel: () => measureToPixel(BENCH_PORT, Number(number ?? 5_000), PROBES),
};

const measure = MEASURES[what];
if (measure === undefined) {
  process.stderr.write('Say what to measure: frames, first or pixel.\n');
  process.exit(2);
}
process.stdout.write(`${JSON.stringify({ what, ...await measure() })}\n`);
process.exit();
