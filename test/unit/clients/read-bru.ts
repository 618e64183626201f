/** A file of Bruno by its blocks; what it does not have is empty. */
export interface Bru {
  readonly text: string;
  readonly has: (block: string) => boolean;
  readonly block: (block: string) => string;
  /** Value of a name in a block of pairs. */
  readonly pair: (block: string, name: string) => string;
  /** Names in a block of pairs, but for those that are only offered. */
  readonly names: (block: string) => readonly string[];
}

/** Reads the form in which we write Bruno's files; throws on a line that is in no block. */
export function readBru(text: string): Bru {
  const blocks = new Map<string, string>();
  const rest = text.replaceAll(/^([\w:-]+) \{\n([\s\S]*?\n|)\}\n/gm, (_, name: string, content: string) => {
    if (blocks.has(name)) throw new Error(`There are two blocks ${name}.`);
    blocks.set(name, content);
    return '';
  });
  if (rest.trim() !== '') throw new Error(`No block has ${rest.trim()}`);
  const pairsOf = (block: string): readonly (readonly [string, string])[] => (
    [...(blocks.get(block) ?? '').matchAll(/^ {2}([^\s~][^:\n]*): (.*)$/gm)]
      .map(([, name = '', value = '']) => [name, value])
  );
  return {
    text,
    has: (block) => blocks.has(block),
    block: (block) => blocks.get(block) ?? '',
    pair: (block, name) => pairsOf(block).find(([each]) => each === name)?.[1] ?? '',
    names: (block) => pairsOf(block).map(([name]) => name),
  };
}
