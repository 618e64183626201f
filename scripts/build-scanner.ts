/** Compiles the binary of the scanner. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { compileScanner, SOURCE_DIR } from './build-scanner/compile.ts';

const TARGET = join(SOURCE_DIR, '..', 'scanner.wasm');

await runScript((command, does) => {
  example(command.name('node scripts/build-scanner.ts')
    .description('Compiles the scanner of bodies to its binary.')
    .option('--check', 'only says whether the binary is up to date', false)
    .action(does(async (_ports, { check }: { readonly check: boolean }) => {
      const binary = await compileScanner();
      if (!check) {
        writeFileSync(TARGET, binary);
        process.stdout.write(`${binary.length} bytes\n`);
        return 0;
      }
      if (readFileSync(TARGET).equals(binary)) return 0;
      process.stderr.write('scanner.wasm is not what its source says; run build-scanner.ts\n');
      return 1;
    })),
  'node scripts/build-scanner.ts --check', 'Exit codes: 0 done or up to date, 1 not, 2 wrong use.');
});
