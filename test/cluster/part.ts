import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lastOutput } from '../../infra/local/child.ts';
import { waitFor } from '../../infra/local/wait.ts';
import type { Namespaces } from '../containers/machine/namespaces.ts';

/** A process that a cluster is made of. */
export interface ClusterPart {
  readonly start: () => void;
  /** Asks it to end, or ends it at once, and waits until it has. */
  readonly end: (signal: 'TERM' | 'KILL') => Promise<void>;
  readonly lives: () => Promise<boolean>;
  /** The last of what it wrote. */
  readonly said: () => string;
}

const ASK_MS_MAX = 300_000;
const END_MS_MAX = 300_000;
const SAID_CHARACTERS = 600;

/** A part that runs in namespaces; its id and its output are in a folder of its own. */
export function partIn(
  namespaces: Namespaces, folder: string, name: string, command: readonly string[],
): ClusterPart {
  const dir = join(folder, name);
  const pidFile = join(dir, 'pid');
  mkdirSync(dir, { recursive: true });
  const sent = (signal: string): Promise<boolean> => namespaces.run(
    ['sh', '-c', 'kill -"$1" "$(cat "$0")"', pidFile, signal], ASK_MS_MAX,
  ).then(() => true, () => false);
  return {
    start() {
      namespaces.start(
        ['nice', '-n', '10', 'sh', '-c', 'echo $$ > "$0"; exec "$@"', pidFile, ...command],
        join(dir, 'output.log'),
      );
    },
    async end(signal) {
      await sent(signal);
      await waitFor(async () => !await sent('0'), {
        what: `The end of ${name}`, deadlineMs: END_MS_MAX, everyMs: 200,
      });
    },
    lives: () => sent('0'),
    said: () => lastOutput(dir, SAID_CHARACTERS),
  };
}
