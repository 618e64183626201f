import type { Session } from './session.ts';
import type { Ask } from './talk.ts';
import { status } from './findings.ts';

/** One fault to put into a good body: a pointer alone is taken out, with a value it is set. */
export type Flaw = string | readonly [pointer: string, value: unknown];

/**
 * Sends the same request once per flaw; each must be refused. Gives a sentence for every one that
 * was not. The caller shows apart that the body without a flaw is accepted.
 */
export async function refuses(
  session: Session, ask: Ask, flaws: readonly Flaw[], wanted = 400,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const flaw of flaws) {
    const reply = await session.send({ ...ask, json: flawed(ask.json, flaw) });
    const wrong = status(reply, wanted);
    if (wrong !== undefined) found.push(`${nameOf(flaw)}: ${wrong}`);
  }
  return found;
}

/** A copy of the body with one flaw in it. Pointers go through members and indexes. */
export function flawed(body: unknown, flaw: Flaw): unknown {
  const [pointer, value] = typeof flaw === 'string' ? [flaw, undefined] : flaw;
  const copy = structuredClone(body);
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>((inner, name) =>
    (inner as Readonly<Record<string, unknown>>)[name], copy) as Record<string, unknown>;
  if (typeof flaw === 'string') delete parent[last];
  else parent[last] = value;
  return copy;
}

function nameOf(flaw: Flaw): string {
  if (typeof flaw === 'string') return `without ${flaw}`;
  const value = JSON.stringify(flaw[1]);
  return `${flaw[0]} = ${value.length > 60 ? `${value.slice(0, 57)}...` : value}`;
}
