import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { shardOfToken } from '../../../kernel/shards.ts';
import { bearerToken } from './headers.ts';

/** A token of the right form, as admission looks for it; whether it is valid is not known yet. */
export interface Bearer {
  /** SHA-256 of the token in hexadecimal. */
  readonly tokenHash: string;
  readonly shard: number;
}

/** The token of a request; undefined when there is none of the right form. */
export type BearerOf = (request: IncomingMessage) => Bearer | undefined;

interface Seen {
  readonly header: string;
  readonly bearer: Bearer;
}

/**
 * Makes the reader of tokens. Most lines bring the same one with every call: each keeps what was
 * made of its last one, for as long as the line lives. That is arithmetic, no admission.
 */
export function createBearerReader(): BearerOf {
  const seenOn = new WeakMap<Socket, Seen>();
  return (request) => {
    const header = request.headers.authorization;
    if (header === undefined) return undefined;
    const seen = seenOn.get(request.socket);
    if (seen?.header === header) return seen.bearer;
    const token = bearerToken(header) ?? '';
    const shard = shardOfToken(token);
    if (shard === undefined) return undefined;
    const bearer = { tokenHash: hash('sha256', token, 'hex'), shard };
    seenOn.set(request.socket, { header, bearer });
    return bearer;
  };
}
