import { inject } from 'vitest';
import type { StackEnv } from '../../infra/local/stack-env.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the stack of this run; null when it was not started. */
    stackEnv: StackEnv | null;
  }
}

/**
 * Addresses and credentials of the real parts of this run. Tests keep apart by unique names of
 * topics, keys and databases (`test_…`). Throws one sentence in a run that started no stack.
 */
export function stackEnv(): StackEnv {
  const env = inject('stackEnv');
  if (env !== null) return env;
  throw new Error(
    'This test needs the stack, but the run was started without it: unset RASTRO_TEST_LEVEL or ' +
      'choose a file under test/integration or test/e2e.',
  );
}
