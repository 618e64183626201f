/** What a shooter is asked to do: everything it needs to know about one subject. */
export interface Order {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /**
   * Devices with the token that may post for each. Where there are more of them than lines, each
   * line takes its own by turns, and all of one line have one token; else lines share devices.
   */
  readonly senders: readonly LoadSender[];
  readonly locations: number;
  /** Time of the first fix, in s: no two orders of a run may share seconds of a device. */
  readonly firstSecond: number;
  readonly lines: number;
  /** Posts a second over all lines, or 0 to post again as soon as an answer is there. */
  readonly postsPerSecond: number;
}

/** A device and the token of its provider. */
export interface LoadSender {
  readonly deviceId: string;
  readonly token: string;
}

/** What a shooter has seen so far; all times in milliseconds, all counts since the start. */
export interface LoadTally {
  readonly accepted: number;
  /** Answers that were not 202, by status. */
  readonly others: Readonly<Record<string, number>>;
  readonly brokenLines: number;
  /** Waiting times of accepted posts since the last tally, as [ms, how many]. */
  readonly waits: readonly (readonly [number, number])[];
}

/** Words from the bench to a shooter. */
export type ToShooter =
  | { readonly say: 'fire'; readonly order: Order }
  | { readonly say: 'tally' }
  | { readonly say: 'cease' };

/** Words from a shooter: a tally when asked, and a last one when every answer has come. */
export interface FromShooter {
  readonly say: 'tally' | 'ceased';
  readonly tally: LoadTally;
}
