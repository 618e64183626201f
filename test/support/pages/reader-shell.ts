import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a block printed, to both outputs, and how its last command ended. */
export interface Printed {
  readonly output: string;
  readonly code: number;
}

/** The terminal of a reader: one shell, in which block after block of a page runs. */
export interface ReaderShell {
  readonly run: (text: string) => Promise<Printed>;
  readonly close: () => Promise<void>;
}

/** Opens a shell in a folder; a block that takes longer ends the shell and is a failure. */
export function openReaderShell(
  { cwd, env, blockMsMax }: {
    readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly blockMsMax: number;
  },
): ReaderShell {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-reader-'));
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true,
  });
  const ended = new Promise<void>((resolve) => { shell.once('close', () => { resolve(); }); });
  let text = '';
  let onText = (): void => {};
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      onText();
    });
  }
  const end = (): void => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch { /* It has ended. */ }
  };

  async function run(block: string): Promise<Printed> {
    const mark = randomUUID();
    const file = join(dir, `${mark}.sh`);
    writeFileSync(file, `${block}\n`);
    text = '';
    const found = new RegExp(`\\n${mark} (\\d+)\\n`);
    const answer = new Promise<Printed>((resolve) => {
      onText = () => {
        const match = found.exec(text);
        if (match) resolve({ output: text.slice(0, match.index), code: Number(match[1]) });
      };
    });
    // A sourced file keeps what it sets, and its commands do not read the lines of the next block.
    shell.stdin.write(`. ${file} </dev/null 2>&1; printf '\\n${mark} %s\\n' $?\n`);
    const timer = setTimeout(end, blockMsMax);
    try {
      return await Promise.race([answer, ended.then(() => ({ output: text, code: -1 }))]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run,
    async close() {
      shell.stdin.end();
      end();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
