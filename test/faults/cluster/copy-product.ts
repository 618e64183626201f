import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One change: `find` must be in `file` exactly once, or as often as said. */
export interface Patch {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly times?: number;
}

/** What the product needs to run beside its packages. */
const PARTS = ['services', 'schemas', 'infra/clickhouse', 'package.json'];

/** Copies the product of `root` into the empty directory `target` and changes the copy. */
export function copyProduct(root: string, target: string, patches: readonly Patch[]): void {
  mkdirSync(target, { recursive: true });
  for (const part of PARTS) cpSync(join(root, part), join(target, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  for (const patch of patches) {
    const path = join(target, patch.file);
    writeFileSync(path, patched(readFileSync(path, 'utf8'), patch));
  }
}

/** The text after the patch. Throws when the place is not there, or not as often as it says. */
export function patched(text: string, { file, find, replace, times = 1 }: Patch): string {
  const found = text.split(find).length - 1;
  if (found !== times) {
    throw new Error(`${file} has ${found} places like this, not ${times}:\n${find}`);
  }
  return text.replaceAll(find, () => replace);
}
