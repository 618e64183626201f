import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The secrets that `make-env.ts` wrote for the compose file of a copy. */
export function readEnv(
  { product }: { readonly product: string },
): Readonly<Record<string, string>> {
  const text = readFileSync(join(product, 'infra/compose/.env'), 'utf8');
  const lines = [...text.matchAll(/^(\w+)=(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
}
