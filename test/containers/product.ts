import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the image and the compose file are made from. */
const COPIED = [
  'package.json', 'package-lock.json', '.npmrc', '.dockerignore', 'CHANGELOG.md', 'CONTRIBUTING.md',
  'LICENSE', 'README.md', 'SECURITY.md', 'schemas', 'services', 'scripts', 'infra', 'docs', 'test',
] as const;

/** The compose file in the copy. */
export const COMPOSE = 'infra/compose/compose.yaml';

/** A change of one text in one file of the copy, which must be there once. */
export interface TextEdit {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/** Copies the product, so that secrets and seeded faults are in no one's checkout. */
export function copyProduct(root: string, folder: string): void {
  for (const path of COPIED) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    cpSync(join(root, path), join(folder, path), {
      recursive: true, filter: (from) => !from.endsWith('/.env') && !from.includes('/node_modules'),
    });
  }
}

/** Makes an edit and gives the way back; throws when the text is not there. */
export function edit(folder: string, { file, text, instead }: TextEdit): () => void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  if (!before.includes(text)) throw new Error(`${file} has no ${JSON.stringify(text)} any more.`);
  writeFileSync(path, before.replaceAll(text, instead));
  return () => { writeFileSync(path, before); };
}

/** The tag of our images in the compose file. */
export function tagOf(folder: string): string {
  const [, tag] = /image: rastro:(\S+)/.exec(readFileSync(join(folder, COMPOSE), 'utf8')) ?? [];
  if (tag === undefined) throw new Error(`${COMPOSE} names no image rastro.`);
  return tag;
}

/** The tag after it. */
export function tagAfter(tag: string): string {
  return tag.replace(/\d+$/, (last) => String(Number(last) + 1));
}
