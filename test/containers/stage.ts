import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../../infra/local/cache.ts';
import { run } from '../../infra/local/command.ts';
import type { ContainerStage } from './acts/act.ts';
import { startEngine, type Engine } from './engine/engine.ts';
import { ask } from './machine/ask.ts';
import { RUN_VARIABLE, type Network } from './machine/namespaces.ts';
import { copyProduct } from './product.ts';

/** What a run has. */
export interface ContainerRunGiven {
  readonly root: string;
  readonly folder: string;
  readonly runId: string;
  readonly cache: Cache;
  readonly composeProgram: string;
  readonly print: (line: string) => void;
}

const INSIDE_DIR = join(import.meta.dirname, 'inside');
const MAKE_ENV = 'infra/compose/make-env.ts';
const COMPOSE_MS_MAX = 600_000;
const ASK_MS_MAX = 120_000;

/** Copies the product, draws its secrets, and begins without an engine. */
export function openStage(given: ContainerRunGiven): ContainerStage {
  const { root, folder, runId, cache, composeProgram, print } = given;
  const product = join(folder, 'product');
  mkdirSync(product, { recursive: true });
  copyProduct(root, product);
  execFileSync(process.execPath, [join(product, MAKE_ENV)], { stdio: 'ignore' });
  let running: { readonly network: Network; readonly engine: Engine } | undefined;

  async function engine(network: Network): Promise<Engine> {
    if (running?.network === network) return running.engine;
    await close();
    const images = join(cache.dir, 'container-images');
    running = { network, engine: await startEngine(network, { images, run: folder }, runId) };
    return running.engine;
  }

  async function close(): Promise<void> {
    const ended = running;
    running = undefined;
    await ended?.engine.close();
  }

  return {
    root, product, folder, runId, cache, print, engine, close,
    engineNetwork: () => running?.network ?? 'host',
    async compose(args, deadlineMs = COMPOSE_MS_MAX) {
      const { host } = await engine('own');
      return run(composeProgram, [
        '--ansi', 'never', '--progress', 'plain',
        '--file', join(product, 'infra/compose/compose.yaml'), '--profile', 'demo', ...args,
      ], { deadlineMs, env: { DOCKER_HOST: host, [RUN_VARIABLE]: runId } });
    },
    async inside<Answer>(script: string, question: object, deadlineMs = ASK_MS_MAX) {
      const { namespaces } = await engine('own');
      return ask<Answer>(namespaces, join(INSIDE_DIR, script), question, deadlineMs);
    },
  };
}
