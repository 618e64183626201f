/** A body with other members, and without some, each by its JSON pointer. */
export function changed(
  body: unknown, set: Readonly<Record<string, unknown>>, drop: readonly string[],
): unknown {
  const copy = structuredClone(body);
  for (const pointer of drop) {
    const [holder, name] = holderOf(copy, pointer);
    delete holder[name];
  }
  for (const [pointer, value] of Object.entries(set)) {
    const [holder, name] = holderOf(copy, pointer);
    holder[name] = value;
  }
  return copy;
}

function holderOf(body: unknown, pointer: string): [Record<string, unknown>, string] {
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | undefined)?.[name], body,
  );
  if (typeof holder !== 'object' || holder === null) throw new Error(`Nothing holds ${pointer}.`);
  return [holder as Record<string, unknown>, last];
}
