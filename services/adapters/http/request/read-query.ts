import { parse } from 'node:querystring';
import type { Code } from '../../../kernel/codes.ts';
import { countryCodeOf, type Countries } from '../../../kernel/countries.ts';
import type { Refusal } from '../../../kernel/http.ts';
import { renamed } from '../../../kernel/renamed.ts';
import { pointerStep } from '../../../kernel/json-duplicates.ts';

/** The parameters of a query, each once, or why they cannot be used. */
export type QueryReading =
  | { readonly ok: true; readonly query: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly refusal: Refusal };

const PARAMETERS_MAX = 50;

/**
 * Reads the query of an address. No parameter may repeat; `country_id` must name one of `countries`
 * where it is asked for. Faults of parameters have pointers that begin with `/query`. A wish for a
 * dry run is refused where `asksForDryRun` says so.
 */
export function readQuery(
  url: string, countries: Countries | undefined,
  asksForDryRun?: (name: string, value: string) => Refusal | undefined,
): QueryReading {
  const mark = url.indexOf('?');
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  if (mark >= 0) {
    const parsed = parse(url.slice(mark + 1), '&', '=', { maxKeys: PARAMETERS_MAX });
    for (const [name, value] of Object.entries(parsed)) {
      if (typeof value !== 'string') {
        return refused('invalid_parameter', name, `The parameter ${clipped(name)} stands twice.`);
      }
      const wish = asksForDryRun?.(name, value);
      if (wish !== undefined) return { ok: false, refusal: wish };
      query[name] = value;
    }
  }
  return countryFault(query, countries) ?? { ok: true, query };
}

function countryFault(
  query: Readonly<Record<string, string>>, countries: Countries | undefined,
): QueryReading | undefined {
  if (countries === undefined) return undefined;
  const country = query['country_id'];
  if (country === undefined || country === '') {
    return refused(
      'missing_parameter', 'country_id',
      `The parameter country_id is mandatory${renamed(query, 'country_id') || ', such as ?country_id=BR'}.`,
    );
  }
  if (countryCodeOf(countries, country) !== undefined) return undefined;
  return refused(
    'invalid_parameter', 'country_id',
    `country_id is not one of the countries served here${servedHere(countries)}; send ISO 3166-1,`
    + ' such as BR or BRA.',
  );
}

/** A deployment that serves more countries than these names none of them. */
const COUNTRIES_SHOWN_MAX = 30;

function servedHere(countries: Countries): string {
  const served = [...new Set(countries.values())].toSorted();
  return served.length > COUNTRIES_SHOWN_MAX ? '' : `: ${served.join(', ')}`;
}

function refused(code: Code, name: string, message: string): QueryReading {
  const pointer = `/query/${pointerStep(clipped(name))}`;
  return { ok: false, refusal: { code, detail: message, errors: [{ pointer, code, message }] } };
}

function clipped(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
