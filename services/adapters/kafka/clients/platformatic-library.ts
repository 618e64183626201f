import { createRequire } from 'node:module';

type Platformatic = typeof import('@platformatic/kafka');

const require = createRequire(import.meta.url);
let library: Platformatic | undefined;

/** Loads @platformatic/kafka on first use, so that a process that runs on kafkajs never does. */
export function platformaticLibrary(): Platformatic {
  library ??= require('@platformatic/kafka') as Platformatic;
  return library;
}
