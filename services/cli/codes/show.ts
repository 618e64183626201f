import type { CodeCatalogue } from '../../domain/journey/catalogue.ts';
import type { NotificationCodesVersion } from '../../kernel/notification-codes.ts';
import { notFound } from '../noun.ts';
import type { Report } from '../ports.ts';
import { meaningText, ownText } from './differences.ts';

/** The codes of a version, or one of them, each with the own codes that carriers list for it. */
export function showCodes(
  catalogue: CodeCatalogue, version: NotificationCodesVersion | undefined,
  code: string | undefined,
): Report {
  const rows = [...catalogue.codes].filter(([each]) => code === undefined || each === code);
  if (rows.length === 0) return notFound(`Version ${catalogue.version} does not know ${code ?? ''}.`);
  return {
    value: code === undefined ? fileOf(version) : Object.fromEntries(rows.map(([each, row]) => {
      const carriers = carriersOf(catalogue, each);
      return [each, carriers.length === 0
        ? row : { ...row, carriers: Object.fromEntries(carriers) }];
    })),
    lines: rows.flatMap(([each, row]) => [
      `${each}: ${meaningText(row)}; `
        + (row.required.length === 0 ? 'no mandatory field' : row.required.join(' ')),
      ...carriersOf(catalogue, each).map(([carrier]) => (
        `  own codes of ${carrier}: ${ownText(catalogue.pairs.get(carrier), each)}`
      )),
    ]),
    exitCode: 0,
  };
}

/** By carrier that lists its codes: its own codes for this one, none where it has none. */
function carriersOf(
  { pairs }: CodeCatalogue, code: string,
): readonly (readonly [string, readonly string[]])[] {
  return [...pairs].map(([carrier, own]) => [carrier, [...own.get(code) ?? []]] as const);
}

/** A version in the form of a file, so that it can be imported again. */
function fileOf(version: NotificationCodesVersion | undefined): object {
  if (version === undefined) return {};
  const { name, sample, codes, carriers } = version.recorded;
  return {
    name, ...(sample === undefined ? {} : { sample }), codes,
    ...(carriers === undefined ? {} : { carriers }),
  };
}
