/**
 * What a caller may read of others. `state` is what the platform sees of all clients, `facts` what
 * its feeds say, `dead-letters` why something became one and
 * what operators asked for about it, `calls` what carriers were asked for.
 */
export type Sight = 'state' | 'facts' | 'dead-letters' | 'calls';

/** A text that only one thing has, so that an answer with it is about that thing. */
export interface Marker {
  readonly text: string;
  /** Whose the thing is. */
  readonly owner: string;
  /** By which sights others may read it; without any it is its owner's alone. */
  readonly sights: readonly Sight[];
}

/** Every marker that was planted. */
export interface Markers {
  /** Remembers a marker, and gives its text back. */
  mark(owner: string, sights: readonly Sight[], text: string): string;
  /** All that a text has. */
  foundIn(text: string): readonly Marker[];
}

/** Answers that are the same for all callers are large, and are searched once. */
const LARGE_CHARACTERS_MIN = 50_000;

/** Makes an empty collection. */
export function createMarkers(): Markers {
  const markers = new Map<string, Marker>();
  const large = new Map<string, readonly Marker[]>();
  const search = (text: string): readonly Marker[] => (
    [...markers.values()].filter((marker) => text.includes(marker.text)));
  return {
    mark(owner, sights, text) {
      const before = markers.get(text);
      if (before !== undefined && before.owner !== owner) throw new Error(`${text} is of two.`);
      markers.set(text, { text, owner, sights });
      return text;
    },
    foundIn(text) {
      if (text.length < LARGE_CHARACTERS_MIN) return search(text);
      const found = large.get(text) ?? search(text);
      large.set(text, found);
      return found;
    },
  };
}
