/**
 * Reads a JSON answer of the platform. `undefined` when it is not JSON or not an object; the
 * caller checks the fields it uses, because the answer comes from outside.
 */
export function parseAnswer<T extends object>(body: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
