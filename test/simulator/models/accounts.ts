import { createHash } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import type { ClientRecorded, TokenIssued } from '../../../services/kernel/access.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { createAccessApplier } from '../../../services/workers/projector/access/apply-access-records.ts';
import type { ReplaySource } from '../../../services/workers/rebuild/replay.ts';
import { workerOf } from '../../../services/workers/workers.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Simulation } from '../core/simulation.ts';
import { readRecord } from '../../support/read-record.ts';

/** Compares secrets as the product does, with a pepper of its own. */
export const SECRETS = keyedSecrets('pepper-of-the-simulator');

/** A client that is known from the beginning, and a token of it. */
export interface Account {
  readonly clientId: string;
  readonly secret: string;
  readonly authorization: string;
}

/** The name of a token in the stores. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Puts a client with a token of an audience into the log and the store. */
export function seedAccount(
  { log, stores, scheduler }: Simulation, number: number, audience: ClientRecorded['audiences'][number],
  scopes: ClientRecorded['scopes'],
): Account {
  const clientId = `10000000000000${number}`;
  const secret = `secret-of-${number}`;
  const token = shardOf(clientId).toString(16).padStart(2, '0') + `${number}`.repeat(43);
  const client: ClientRecorded = {
    type: 'ClientRecorded', client_id: clientId, user_id: `user-${number}`, name: 'Simulated',
    providers: ['acme'], audiences: [audience], scopes, status: 'active', version: 1, at_ms: 0,
    secrets: [{ secret_id: 's1', hash: SECRETS.hash(secret), created_at_ms: 0 }],
  };
  const issued: TokenIssued = {
    type: 'TokenIssued', token_hash: hashOf(token), client_id: clientId, audience, scopes,
    issued_at_ms: scheduler.nowMs(), expires_at_ms: scheduler.nowMs() + 21_600_000,
  };
  log.write({
    topic: TOPICS.clients.name, key: clientId, value: toBytes(client), headers: {},
  });
  log.write({
    topic: TOPICS.tokens.name, key: issued.token_hash, value: toBytes(issued), headers: {},
  });
  void stores.states.access.applyClient(client);
  void stores.states.access.applyTokens([issued]);
  return { clientId, secret, authorization: `Bearer ${token}` };
}

/** What a rebuild reads first in every model. */
export function accessSource(simulation: Simulation, process: SimProcess): ReplaySource {
  return {
    topics: workerOf('projector.access').reads,
    applyRecords: createAccessApplier(simulation.states(process), readRecord),
  };
}

/** The fixes of devices, which most models leave out. */
export const NO_POSITIONS: ReplaySource = { topics: [], applyRecords: async () => [] };

/** JSON in UTF-8. */
export function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** The fact in a record, read by nothing of the product. */
export function factOf(record: { readonly value: Uint8Array }): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(record.value).toString('utf8')) as Record<string, unknown>;
}
