import type { Gate, GateReport } from '../gate.ts';
import { readTree, type TidyFile } from '../tidy/tree.ts';
import { bannedIn, type Offence } from './banned.ts';
import { readGlossary } from './glossary.ts';
import { hardPhrasesIn } from './phrases.ts';
import { isOurs, piecesOf, type Piece } from './pieces.ts';
import { heldAgainst, writeRatchet } from './ratchet.ts';
import { hardSentencesIn } from './sentences.ts';
import { typeNamesDeclaredTwice } from './type-names.ts';

interface Found {
  readonly files: number;
  readonly offences: readonly Offence[];
}

/** Banned words of docs/glossary.md, and exported names of types with two meanings. */
export function findGlossaryOffences(root: string): Found {
  const glossary = readGlossary(root);
  const { files, pieces } = readPieces(root);
  const banned = pieces.flatMap((piece) => bannedIn(glossary, piece));
  return { files: files.length, offences: [...banned, ...typeNamesDeclaredTwice(files)] };
}

/** Hard phrases and hard sentences in pages, comments and texts. */
export function findProseOffences(root: string): Found {
  const { files, pieces } = readPieces(root);
  const offences = [...pieces.flatMap(hardPhrasesIn), ...hardSentencesIn(pieces)];
  return { files: files.length, offences };
}

const finders: Readonly<Record<string, (root: string) => Found>> = {
  glossary: findGlossaryOffences,
  prose: findProseOffences,
};

/** One word, one meaning: docs/glossary.md held over names, comments, metrics and pages. */
export function glossaryGate(): Gate {
  return { name: 'glossary', unit: 'files', inspect: async (root) => inspect('glossary', root) };
}

/** Plain English over pages, comments and texts. */
export function proseGate(): Gate {
  return { name: 'prose', unit: 'files', inspect: async (root) => inspect('prose', root) };
}

/** Every offence of one gate, whatever the ratchet lets pass. */
export function listOffences(gate: string, root: string): readonly Offence[] {
  return finders[gate]?.(root).offences ?? [];
}

/** Writes the counts of today into the ratchet. */
export function writeWordsLeft(root: string): void {
  writeRatchet(root, Object.fromEntries(
    Object.entries(finders).map(([gate, find]) => [gate, find(root).offences]),
  ));
}

function inspect(gate: string, root: string): GateReport {
  const { files, offences } = finders[gate]?.(root) ?? { files: 0, offences: [] };
  return { seen: files, complaints: heldAgainst(root, gate, offences) };
}

function readPieces(root: string): {
  readonly files: readonly TidyFile[]; readonly pieces: readonly Piece[];
} {
  const files = readTree(root).filter(({ path }) => isOurs(path));
  return { files, pieces: files.flatMap(piecesOf) };
}
