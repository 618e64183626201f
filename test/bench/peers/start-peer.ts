import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { waitFor } from '../../../infra/local/wait.ts';
import type { BenchSubject } from '../subject.ts';

/** How a peer is started and where it will listen. */
export interface PeerSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
  readonly path: string;
  readonly logged?: (() => Promise<bigint>) | undefined;
  /** For peers that listen before they serve; others are ready once they listen. */
  readonly isReady?: () => Promise<boolean>;
}

const START_MS_MAX = 60_000;
const HOST = '127.0.0.1';

/** Starts a peer as a process of its own and waits until it serves. */
export async function startPeer(spec: PeerSpec): Promise<BenchSubject> {
  const child = spawn(spec.command, spec.args, {
    stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...spec.env },
  });
  const ended = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  };
  await waitFor(spec.isReady ?? (() => listens(spec.port)), {
    what: `The start of ${spec.name}`, deadlineMs: START_MS_MAX,
    hopeless: () => (child.exitCode === null ? undefined : `it ended (${child.exitCode}).`),
  });
  return {
    name: spec.name, host: HOST, port: spec.port, path: spec.path, close,
    logged: spec.logged,
    pids: () => [child.pid ?? 0],
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
