/** How many items each party may have in flight, and which parties asked to be left alone. */
export interface PartySlots {
  /** Slots of a party that are free; none while it is held. */
  free(partyId: string, nowMs: number): number;
  enter(partyId: string): void;
  leave(partyId: string): void;
  hold(partyId: string, untilMs: number): void;
  /** Forgets the holds of all other parties. */
  keepHolds(partyIds: ReadonlySet<string | undefined>): void;
}

/** Makes slots of which each party has `slotsMax`. */
export function createPartySlots(slotsMax: number): PartySlots {
  const taken = new Map<string, number>();
  const heldUntilMs = new Map<string, number>();
  return {
    free: (partyId, nowMs) => (
      (heldUntilMs.get(partyId) ?? 0) > nowMs ? 0 : slotsMax - (taken.get(partyId) ?? 0)
    ),
    enter: (partyId) => { taken.set(partyId, (taken.get(partyId) ?? 0) + 1); },
    leave(partyId) {
      const left = (taken.get(partyId) ?? 1) - 1;
      if (left > 0) taken.set(partyId, left);
      else taken.delete(partyId);
    },
    hold: (partyId, untilMs) => { heldUntilMs.set(partyId, untilMs); },
    keepHolds(partyIds) {
      for (const partyId of heldUntilMs.keys()) {
        if (!partyIds.has(partyId)) heldUntilMs.delete(partyId);
      }
    },
  };
}
