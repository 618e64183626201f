import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './support/long-first.ts';

// One run for all levels: npx vitest run --config test/vitest.config.ts --root . [file…]
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    passWithNoTests: false,
    allowOnly: false,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/{unit,property,contract,regressions}/**/*.test.ts'],
          // These files need nothing but the code, so they share a process and what it has loaded.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          include: ['test/{integration,e2e}/**/*.test.ts'],
          globalSetup: ['test/support/global-stack.ts'],
        },
      },
      // A real browser, over stores and a log in memory.
      {
        extends: true,
        test: { name: 'console', include: ['test/console/**/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
});
