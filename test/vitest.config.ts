import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// One run for all levels: npx vitest run --config test/vitest.config.ts --root . [file…]
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/{unit,property,contract,integration,e2e,regressions}/**/*.test.ts'],
    globalSetup: ['test/support/global-stack.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    passWithNoTests: false,
    allowOnly: false,
    restoreMocks: true,
  },
});
