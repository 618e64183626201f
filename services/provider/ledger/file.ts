import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LedgerLine } from './lines.ts';

/**
 * Appends ledger lines to a file, each with one write that has ended before the post leaves: what
 * the kernel has taken survives the death of this process.
 */
export function openLedgerFile(path: string) {
  const file = openSync(path, 'a');
  return {
    write(line: LedgerLine): void {
      writeSync(file, `${JSON.stringify(line)}\n`);
    },
    close(): void {
      closeSync(file);
    },
  };
}

/** Reads a ledger file line by line; a torn last line of a killed provider is left out. */
export async function* readLedgerFile(path: string): AsyncGenerator<LedgerLine> {
  let torn: Error | undefined;
  for await (const text of createInterface({ input: createReadStream(path, 'utf8') })) {
    if (text === '') continue;
    if (torn !== undefined) throw torn;
    try {
      yield JSON.parse(text) as LedgerLine;
    } catch (error) {
      torn = new Error(`${path} has a line that is not JSON`, { cause: error });
    }
  }
}
