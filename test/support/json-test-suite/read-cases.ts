import cases from './cases.json' with { type: 'json' };

/**
 * One file of the corpus: its name without ending, its bytes, and what a parser must do. Of some
 * files the standard leaves it open; they are neither.
 */
export interface JsonCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mustBeAccepted: boolean;
  readonly mustBeRefused: boolean;
}

const OPENINGS = 100_000;
const REPEATED_OPENINGS = 50_000;

/** Every case, with the two large ones made anew. */
export function readJsonCases(): readonly JsonCase[] {
  const large = {
    n_structure_100000_opening_arrays: Buffer.from('['.repeat(OPENINGS)),
    n_structure_open_array_object: Buffer.from(`${'[{"":'.repeat(REPEATED_OPENINGS)}\n`),
  };
  const small = Object.entries(cases).map(([name, base64]) =>
    [name, Buffer.from(base64, 'base64')] as const);
  return [...small, ...Object.entries(large)].map(([name, bytes]) => ({
    name, bytes, mustBeAccepted: name.startsWith('y_'), mustBeRefused: name.startsWith('n_'),
  }));
}
