import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileScanner, SOURCE_DIR } from '../../../scripts/build-scanner/compile.ts';

it('the binary of the scanner is what its source says, byte for byte', async () => {
  const committed = readFileSync(join(SOURCE_DIR, '..', 'scanner.wasm'));
  expect(Buffer.from(await compileScanner()).equals(committed)).toBe(true);
}, 120_000);
