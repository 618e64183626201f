import type { ClientLimits } from './access.ts';

/**
 * All members, in the order of the text that `admit.lua` reads too. New ones come last: texts that
 * are shorter are still read.
 */
export const LIMITS_OF_CLIENTS = [
  'requests_per_second', 'locations_per_second', 'bytes_per_second', 'device_requests_per_second',
  'tenant_bytes_per_day', 'notifications_per_second',
] as const satisfies readonly (keyof ClientLimits)[];

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
