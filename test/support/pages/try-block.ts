import { setTimeout as delay } from 'node:timers/promises';
import type { Block } from './read-blocks.ts';
import { isAsShown } from './compare-output.ts';
import type { Printed, ReaderShell } from './reader-shell.ts';

const REPEAT_MS_MAX = 90_000;
const REPEAT_EVERY_MS = 500;

/** Runs a block as its page says, and gives what is wrong: an empty text when all is as shown. */
export async function tryBlock(shell: ReaderShell, block: Block): Promise<string> {
  const deadline = performance.now() + REPEAT_MS_MAX;
  for (;;) {
    const printed = await shell.run(block.text);
    const wrong = wrongOf(block, printed);
    if (wrong === '' || !block.repeats || performance.now() > deadline || printed.code < 0) return wrong;
    await delay(REPEAT_EVERY_MS);
  }
}

function wrongOf({ page, line, text, shown }: Block, { output, code }: Printed): string {
  const where = `${page}:${line}\n${text}\n`;
  if (shown === undefined) return code === 0 ? '' : `${where}ended with ${code} and printed\n${output}`;
  return isAsShown(shown, output) ? '' : `${where}printed\n${output}\nand the page shows\n${shown}`;
}
