/** CPU of one body of locations scanned and read exactly, side by side in one run, as a ratio. */
import { measureBodies } from './scan-cost/measure-bodies.ts';
import { measurePosts } from './scan-cost/measure-posts.ts';

const LOCATIONS = [1, 10, 50, 200];

process.stdout.write('CPU in µs, medians of interleaved rounds; the ratio is exact / scanned.\n\n'
  + '| what | locations | bytes | scanned | exact | ratio |\n|---|---|---|---|---|---|\n');
for (const [what, measure] of [['body', measureBodies], ['post', measurePosts]] as const) {
  for (const locations of LOCATIONS) {
    const { bytes, scannedUs, exactUs } = await measure(locations);
    process.stdout.write(`| ${what} | ${locations} | ${bytes} | ${scannedUs.toFixed(1)}`
      + ` | ${exactUs.toFixed(1)} | ${(exactUs / scannedUs).toFixed(1)} |\n`);
  }
}
process.exit();
