/** The fields of a hash from the flat reply of HGETALL; undefined when there is no hash. */
export function toFields(reply: unknown): ReadonlyMap<string, string> | undefined {
  const flat = reply as readonly string[];
  if (flat.length === 0) return undefined;
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '');
  return fields;
}
