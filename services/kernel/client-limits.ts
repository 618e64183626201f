import type { ClientLimits } from './access.ts';
import { LIMIT_MEMBERS, LIMIT_NAMES } from './client-rates.ts';

/** All members, in the order of the text: first those that `admit.lua` reads. */
export const LIMITS_OF_CLIENTS: readonly (keyof ClientLimits)[] = [
  ...LIMIT_NAMES.map((name) => LIMIT_MEMBERS[name]), 'tenant_bytes_per_day',
];

/** Limits of a client as the state store keeps them: numbers and commas, empty for none. */
export function limitsText(limits: ClientLimits): string {
  return LIMITS_OF_CLIENTS.map((member) => limits[member] ?? '').join(',');
}

/** Limits from such a text; nothing where a client has none of its own. */
export function limitsIn(text: string | undefined): { readonly limits?: ClientLimits } {
  if (text === undefined || text === '') return {};
  const numbers = text.split(',');
  const limits = LIMITS_OF_CLIENTS.flatMap((member, at) => {
    const number = numbers[at] ?? '';
    return number === '' ? [] : [[member, Number(number)]];
  });
  return { limits: Object.fromEntries(limits) as ClientLimits };
}
