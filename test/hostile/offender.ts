/** What an offender was given by the operator, as every client is: nothing that is not its own. */
export interface Guest {
  readonly provider: string;
  /** Clients of one user, each with a device that is tracked. */
  readonly clients: readonly GuestClient[];
  /** A carrier, with a token that may notify. */
  readonly carrier: GuestClient;
  /** Its own platform, which may command its provider and authorize. */
  readonly platform: GuestClient & { readonly authorizationToken: string };
  /** Its provider as the platform calls it; the first of its clients is this party. */
  readonly partyId: string;
}

/** One client of a guest. */
export interface GuestClient {
  readonly clientId: string;
  readonly secret: string;
  readonly token: string;
  /** Empty for who has none. */
  readonly deviceId: string;
}

/** What an offender finds; it runs in a process of its own, below all others in priority. */
export interface OffenderEnv {
  /** Base addresses of the gateways. */
  readonly gateways: readonly string[];
  /** Base address of the gateway with the live feeds. */
  readonly live: string;
  readonly guest: Guest;
  readonly tables: {
    readonly url: string; readonly user: string; readonly password: string;
    readonly database: string;
  };
  /** How tracking numbers of the honest carrier begin. */
  readonly honestNumbers: string;
  /** Aborted when the offence ends. */
  readonly signal: AbortSignal;
  /** Counts an answer: a status, or the name of what came instead. */
  readonly count: (answer: number | string) => void;
}

/** A status, or the name of what came instead, and how often at least. */
export interface Answered {
  readonly answer: string;
  readonly times: number;
  /** Only of so many calls: a machine that is slower does not reach the limit. */
  readonly ofCalls?: number;
}

/** How the party of the guest behaves while it is called. */
export type PartyManners =
  | 'polite' | 'line-break-token' | 'never' | 'endless' | 'redirect' | 'broken' | 'slow' | 'junk';

/** One way in which a caller misbehaves. */
export interface Offender {
  readonly name: string;
  /** What it does, in one sentence for the page. */
  readonly does: string;
  /** What holds against it, as the page says it. */
  readonly heldBy: string;
  readonly isSmoke?: true;
  /** How its party behaves meanwhile. */
  readonly party?: PartyManners;
  /** Its party's secret is sealed with a key that the workers do not have. */
  readonly hasPoisonedSecret?: true;
  /** The honest analyst may have to wait for a query: the offender is an analyst too. */
  readonly isAnalyst?: true;
  /** Its calls know no 429: above a limit they are 500. */
  readonly hasOnly500?: true;
  /**
   * What it must be answered, and how often at least: the protection did that. Other signs that it
   * is missing may be too small for a machine with other work.
   */
  readonly mustGet?: Answered;
  /** Misbehaves until `env.signal` is aborted. */
  run(env: OffenderEnv): Promise<unknown>;
}
