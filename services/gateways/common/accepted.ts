import type { PageCall, Packing } from '../../kernel/pages.ts';

const REFUSED = /;\s*q=0(\.0*)?\s*$/;

/** True for a caller that asks for HTML by name, as browsers do. */
export function acceptsHtml({ header }: PageCall): boolean {
  return named(header('accept')).includes('text/html');
}

/** True for a caller that takes gzip. */
export function acceptsPacked({ header }: PageCall): boolean {
  return named(header('accept-encoding')).includes('gzip');
}

/** True for a caller that has this very version already. */
export function hasVersion({ header }: PageCall, etag: string): boolean {
  const known = (header('if-none-match') ?? '').split(',').map((one) => one.trim());
  return known.some((one) => one === '*' || one.replace(/^W\//, '') === etag);
}

/** The names of a list like `text/html;q=0.9, *` that are not refused. */
function named(list: string | undefined): readonly string[] {
  return (list ?? '').toLowerCase().split(',')
    .filter((one) => !REFUSED.test(one))
    .map((one) => (one.split(';')[0] ?? '').trim());
}

/** How a file is sent to a caller: the smallest of what it takes. */
export function packingFor({ header }: PageCall): Packing {
  const taken = named(header('accept-encoding'));
  return (['br', 'gzip'] as const).find((each) => taken.includes(each)) ?? 'identity';
}
