import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');

/**
 * A folder that is the repository for who works in it, with a `.rastro` of its own: what pages
 * write beside the code stays there. Gives its path and what removes it.
 */
export function copyOfCheckout(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-checkout-'));
  for (const name of readdirSync(ROOT_DIR)) {
    if (!name.startsWith('.')) symlinkSync(join(ROOT_DIR, name), join(dir, name));
  }
  return { dir, remove: () => { rmSync(dir, { recursive: true, force: true }); } };
}
