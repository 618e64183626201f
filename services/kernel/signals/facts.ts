import type { ClientId } from '../ids.ts';

/** One severity of log line. */
export type SignalLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Every fact that a signal may be made of: a label, a value or a field of a line. Never a secret, a
 * token, a body or personal data. A label is a bounded set (code, topic, provider), never an id.
 */
export interface SignalFacts {
  readonly admin_url: string;
  readonly attempt: number;
  readonly bytes: number;
  readonly calls: number;
  readonly client_id: ClientId | undefined;
  readonly code: string;
  readonly config: string;
  readonly dead_letters: number;
  readonly devices: number;
  readonly error: string;
  readonly failures: number;
  readonly feed: 'positions' | 'facts';
  readonly feeds: number;
  readonly final_codes: number;
  readonly group: string;
  readonly id: string;
  readonly in_flight: number;
  readonly items: number;
  readonly keys: number;
  readonly message: string;
  readonly moved: 0 | 1;
  readonly name: string;
  readonly namespace: string;
  readonly offset: string;
  readonly offsets: string;
  readonly operation: string;
  readonly outcome: string;
  readonly part: string;
  readonly partition: number;
  readonly partition_parts_max: number;
  readonly partitions: number;
  readonly parts: number;
  readonly party: string;
  readonly party_id: string;
  readonly pending: number;
  readonly provider: string;
  readonly ready: 0 | 1;
  readonly reason: string;
  readonly records: number;
  readonly request_id: string | undefined;
  readonly resumed: 0 | 1;
  readonly rooms: string | undefined;
  readonly schema_id: number;
  readonly script: string;
  readonly seconds: number;
  readonly seconds_max: number;
  readonly spans: number;
  readonly stage: string | undefined;
  readonly status: number | undefined;
  readonly store: string;
  readonly subject: string;
  readonly table: string;
  readonly timeliness: 'fresh' | 'late';
  readonly topic: string;
  readonly unmapped: boolean;
  readonly url: string | undefined;
  readonly viewers: number;
  readonly waiting: number;
  readonly what: string;
  readonly worker: string;
  readonly workers: string;
}

/** The name of a fact. */
export type FactName = keyof SignalFacts;

/** The name of a fact that a metric can add up, show or observe. */
export type NumberFact = {
  [Name in FactName]: SignalFacts[Name] extends number ? Name : never;
}[FactName];
