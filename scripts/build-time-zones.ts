/** Makes the table of time zones by place and of their clocks. */
import { writeFileSync } from 'node:fs';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { encodeTimeZones, TIME_ZONES_FILE } from '../services/adapters/clickhouse/time-zones-file.ts';
import { clocksOf, countriesOf } from './build-time-zones/clocks.ts';
import { zonesOfCells } from './build-time-zones/cells.ts';

/** Zones of the high seas; their names have the sign of POSIX, west is positive. */
const AT_SEA = Array.from({ length: 25 }, (_, n) => n - 12)
  .map((hours) => `Etc/GMT${hours === 0 ? '' : (hours > 0 ? '+' : '') + String(hours)}`);

await runScript((command, does) => {
  example(command.name('node scripts/build-time-zones.ts')
    .description('Makes infra/clickhouse/time-zones/time-zones.bin.gz of the borders that geo-tz holds'
      + ' and of the clocks that this Node.js knows. Takes some minutes and 3 GB.')
    .action(does(async () => {
      const { zones, groups, starts, lists } = zonesOfCells();
      const bytes = encodeTimeZones({
        release: process.versions['tz'] ?? '', groups, starts, lists,
        clocks: clocksOf([...zones, ...AT_SEA]), countries: countriesOf(zones),
      });
      writeFileSync(TIME_ZONES_FILE, bytes);
      process.stdout.write(`${starts.length} runs, ${bytes.length} bytes\n`);
      return 0;
    })),
  'node scripts/build-time-zones.ts', 'Exit codes: 0 done, 1 failed, 2 wrong use.');
});
