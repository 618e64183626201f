#!/usr/bin/env node
// The command `rastro` of the package; the image runs main.ts itself. Plain JavaScript for any Node
// from 18 on: one that cannot run the program, or a checkout without packages, gets both by
// bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');
const NODE_MAJOR_MIN = 24;

const isReady = Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN
  && existsSync(join(ROOT, 'node_modules', 'commander'));
if (isReady) {
  // What was compiled once is kept in the folder of temporary files: help then takes half the time.
  module.enableCompileCache?.();
  await import('./main.ts');
} else {
  const bootstrap = join(ROOT, 'scripts', 'bootstrap.mjs');
  const args = [bootstrap, 'services/cli/main.ts', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
