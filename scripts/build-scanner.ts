/** Compiles the binary of the scanner; with `--check` only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileScanner, SOURCE_DIR } from './build-scanner/compile.ts';

const target = join(SOURCE_DIR, '..', 'scanner.wasm');
const binary = await compileScanner();

if (!process.argv.includes('--check')) {
  writeFileSync(target, binary);
  process.stdout.write(`${binary.length} bytes\n`);
} else if (!readFileSync(target).equals(binary)) {
  process.stderr.write('scanner.wasm is not what its source says; run build-scanner.ts\n');
  process.exitCode = 1;
}
