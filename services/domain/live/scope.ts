import type { ClientId } from '../../kernel/ids.ts';

/** The kinds of facts of a live feed, as callers name them. */
export const FACT_KINDS = ['device', 'journey', 'command', 'receipt', 'dead_letter'] as const;

/** One kind of fact. */
export type FactKind = (typeof FACT_KINDS)[number];

/**
 * Who follows a feed. A client is a provider with a token for RTT, a carrier is who notifies; a
 * platform sees all of them, and an operator also why something became a dead letter.
 */
export type Viewer =
  | {
    readonly kind: 'client'; readonly clientId: ClientId; readonly providers: readonly string[];
    /** True where its token also has the scope for commands. */
    readonly seesCommands: boolean;
  }
  | { readonly kind: 'carrier'; readonly clientId: ClientId }
  | { readonly kind: 'platform' }
  | { readonly kind: 'operator' };

/** Whose a fact is. */
export interface FactOwner {
  readonly kind: FactKind;
  /** Client that sent what the fact is about, or undefined where it is not known. */
  readonly clientId: ClientId | undefined;
  /** Provider that a command goes to. */
  readonly provider: string | undefined;
  /** Which interface it came by: of devices, of notifications, or another. */
  readonly side: 'rtt' | 'tracking' | 'other';
}

/** True when this caller may see the fact; what is not allowed here is seen by none. */
export function mayFollow(viewer: Viewer, fact: FactOwner): boolean {
  switch (viewer.kind) {
    case 'platform':
    case 'operator':
      return true;
    case 'client':
      return fact.side === 'rtt' && (fact.kind === 'command'
        ? viewer.seesCommands && fact.provider !== undefined
          && viewer.providers.includes(fact.provider)
        : fact.clientId === viewer.clientId);
    case 'carrier':
      return fact.side === 'tracking' && fact.kind !== 'command'
        && fact.clientId === viewer.clientId;
  }
}

/** Whose positions are seen: those of one client, or of all; carriers see none. */
export function fleetOf(viewer: Viewer): ClientId | 'all' | 'none' {
  switch (viewer.kind) {
    case 'platform':
    case 'operator':
      return 'all';
    case 'client':
      return viewer.clientId;
    case 'carrier':
      return 'none';
  }
}

/** A name that two viewers share exactly when they see the same facts, in the same words. */
export function audienceOf(viewer: Viewer): string {
  switch (viewer.kind) {
    case 'platform':
    case 'operator':
      return viewer.kind;
    case 'carrier':
      return JSON.stringify(['carrier', viewer.clientId]);
    case 'client':
      return JSON.stringify([
        'client', viewer.clientId, viewer.seesCommands ? viewer.providers.toSorted() : [],
      ]);
  }
}
