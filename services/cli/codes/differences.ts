import type { CodeCatalogue, CodeRow } from '../../domain/journey/catalogue.ts';

/** What another catalogue would say about one code. */
export interface CodeDifference {
  readonly code: string;
  readonly before: string;
  readonly after: string;
}

/** The codes of which two catalogues say something else, in the order of the codes. */
export function differencesOf(
  before: CodeCatalogue, after: CodeCatalogue,
): readonly CodeDifference[] {
  const codes = [...new Set([...before.codes.keys(), ...after.codes.keys()])].toSorted();
  return codes.flatMap((code) => {
    const texts = [meaningText(before.codes.get(code)), meaningText(after.codes.get(code))];
    const [one = '', other = ''] = texts;
    return one === other ? [] : [{ code, before: one, after: other }];
  });
}

/** One row in words: status, finality, wanted fields, description. */
export function meaningText(row: CodeRow | undefined): string {
  if (row === undefined) return 'not known';
  const { status = 'no status', final, wanted, description } = row;
  return [
    status, final ? 'final' : '', wanted.length === 0 ? '' : `wants ${wanted.join(' ')}`,
    description === undefined ? '' : `"${description}"`,
  ].filter((part) => part !== '').join(', ');
}
