/** A shared allowance of bytes; what is taken must be given back. */
export interface ByteBudget {
  /** True when so many more bytes fit; they then count as taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  taken(): number;
}

/** An allowance that many calls share, so that many large bodies at once cannot fill the memory. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > bytesMax) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => { taken -= bytes; },
    taken: () => taken,
  };
}
