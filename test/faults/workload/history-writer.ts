import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Appends JSON lines to a file. */
export interface LineWriter<Line> {
  write(line: Line): void;
  /** Resolves when everything written so far is in the file. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file of JSON lines; what is there stays. */
export function openLines<Line>(path: string): LineWriter<Line> {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  return {
    write: (line) => { stream.write(`${JSON.stringify(line)}\n`); },
    flushed: () => new Promise((resolve, reject) => {
      stream.write('', (error) => {
        if (error) reject(error);
        else resolve();
      });
    }),
    async close() {
      stream.end();
      await finished(stream);
    },
  };
}

/** Monotonic nanoseconds of the harness as decimal text: the one clock of all files of a run. */
export function nowNs(): string {
  return String(process.hrtime.bigint());
}
