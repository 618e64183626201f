/** What validation asks of a pattern. Ajv knows a pattern by its text. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern of a schema that ends in an answer for any text. V8 keeps what it may go back to on a
 * stack of 64 MiB, and throws RangeError when a text of several MiB fills it; such a text does not
 * match then, since nothing from outside may end a process.
 */
export function safePattern(pattern: string, flags: string): Pattern {
  const regExp = new RegExp(pattern, flags);
  return {
    toString: () => regExp.toString(),
    test(text) {
      try {
        return regExp.test(text);
      } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
      }
    },
  };
}
