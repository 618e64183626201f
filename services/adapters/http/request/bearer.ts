import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Operation } from '../../../kernel/http.ts';
import { shardOfToken } from '../../../kernel/shards.ts';
import { bearerToken } from './headers.ts';
import { sessionToken } from './session-token.ts';

/** A token of the right form, as admission looks for it; whether it is valid is not known yet. */
export interface Bearer {
  /** SHA-256 of the token in hexadecimal. */
  readonly tokenHash: string;
  readonly shard: number;
}

/** The token of a request; undefined when there is none of the right form. */
export type BearerOf = (request: IncomingMessage, operation: Operation) => Bearer | undefined;

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
  return (request, operation) => {
    const header = request.headers.authorization;
    if (header === undefined) return bearerIn(sessionToken(request, operation) ?? '');
    const seen = seenOn.get(request.socket);
    if (seen?.header === header) return seen.bearer;
    const bearer = bearerIn(bearerToken(header) ?? '');
    if (bearer !== undefined) seenOn.set(request.socket, { header, bearer });
    return bearer;
  };
}

function bearerIn(token: string): Bearer | undefined {
  const shard = shardOfToken(token);
  return shard === undefined ? undefined : { tokenHash: hash('sha256', token, 'hex'), shard };
}
