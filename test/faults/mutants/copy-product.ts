import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Patch } from './mutant.ts';

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

/** The text after the patch. Throws when the place is not there, or not once. */
export function patched(text: string, { file, find, replace }: Patch): string {
  const found = text.split(find).length - 1;
  if (found !== 1) {
    throw new Error(`${file} has ${found} places like this, not one:\n${find}`);
  }
  return text.replace(find, () => replace);
}
