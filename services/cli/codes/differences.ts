import type { CodeCatalogue, CodeRow } from '../../domain/journey/catalogue.ts';

/** What another catalogue would say about one code, or about the own codes of a carrier for it. */
export interface CodeDifference {
  readonly code: string;
  /** Client of the carrier, where it is about own codes of it. */
  readonly carrier?: string;
  readonly before: string;
  readonly after: string;
}

/** In place of a code: every other one, of which a carrier lists nothing. */
const OTHERS = '*';

/** What two catalogues say differently, in the order of the codes, then of the carriers. */
export function differencesOf(
  before: CodeCatalogue, after: CodeCatalogue,
): readonly CodeDifference[] {
  const codes = namesIn(before.codes, after.codes).flatMap((code) => changed(
    { code }, meaningText(before.codes.get(code)), meaningText(after.codes.get(code)),
  ));
  const carriers = namesIn(before.pairs, after.pairs).flatMap((carrier) => {
    const [one, other] = [before.pairs.get(carrier), after.pairs.get(carrier)];
    return [...namesIn(one, other), OTHERS].flatMap((code) => (
      changed({ code, carrier }, ownText(one, code), ownText(other, code))
    ));
  });
  return [...codes, ...carriers];
}

/** Which own codes of a carrier go with a code; one that lists nothing is not checked. */
export function ownText(
  pairs: ReadonlyMap<string, ReadonlySet<string>> | undefined, code: string,
): string {
  if (pairs === undefined) return 'not checked';
  const own = pairs.get(code);
  return own === undefined || own.size === 0 ? 'none' : [...own].toSorted().join(' ');
}

function changed(
  what: Pick<CodeDifference, 'code' | 'carrier'>, before: string, after: string,
): readonly CodeDifference[] {
  return before === after ? [] : [{ ...what, before, after }];
}

function namesIn(
  ...maps: readonly (ReadonlyMap<string, unknown> | undefined)[]
): readonly string[] {
  return [...new Set(maps.flatMap((each) => [...each?.keys() ?? []]))].toSorted();
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
