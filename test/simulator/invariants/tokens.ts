import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { tryName } from '../core/history.ts';
import type { Simulation } from '../core/simulation.ts';
import { factOf, hashOf } from '../models/accounts.ts';

/** A token that clients know, under a name that is the same in every run of a seed. */
export interface KnownToken {
  readonly name: string;
  readonly token: string;
}

/** The invariants of tokens: I1, I7, I14, and that the store says what the log says (I3). */
export function checkTokens(
  simulation: Simulation, known: readonly KnownToken[],
): readonly string[] {
  const findings: string[] = [];
  const { history, log, stores } = simulation;
  const hashes = new Map(known.map(({ name, token }) => [name, hashOf(token)]));
  const issued = new Set<string>();
  const revoked = new Set<string>();
  for (const record of log.records(TOPICS.tokens.name)) {
    const { type, token_hash } = factOf(record);
    (type === 'TokenIssued' ? issued : revoked).add(String(token_hash));
  }

  for (const [name, hash] of hashes) {
    if (!issued.has(hash)) findings.push(`I1 the token ${name} was answered but is not in the log`);
  }
  const fences = new Map<string, number>();
  const begun = new Map<string, number>();
  for (const each of history.of('revoke')) {
    const { token = '' } = each.args;
    if (each.status !== 400) begun.set(token, Math.min(each.from, begun.get(token) ?? Infinity));
    if (each.outcome !== 'ok' || token === each.args['by']) continue;
    fences.set(token, Math.min(each.to, fences.get(token) ?? Infinity));
    if (!revoked.has(hashes.get(token) ?? '')) {
      findings.push(`I1 ${tryName(each)} was answered, but the log does not revoke ${token}`);
    }
  }
  for (const each of history.of('use', 'revoke')) {
    const token = each.args[each.op === 'use' ? 'token' : 'by'] ?? '';
    if (each.outcome === 'ok' && each.from > (fences.get(token) ?? Infinity)) {
      findings.push(`I7 ${tryName(each)} was accepted with ${token}, which was revoked`);
    }
    const isDenied = each.status === 401 || each.status === 403;
    if (isDenied && each.to < (begun.get(token) ?? Infinity)) {
      findings.push(`I14 ${tryName(each)} was refused, but no call had revoked ${token}`);
    }
  }
  for (const each of history.of('issue')) {
    if (each.outcome === 'fail') findings.push(`I14 ${tryName(each)} was refused`);
  }
  const tokens = new Map(stores.states.store.ofKind('token').map(
    ({ key, fields }) => [key.id, fields],
  ));
  for (const hash of issued) {
    const kept = tokens.get(hash);
    if (kept === undefined) findings.push('I3 a token of the log is not in the store');
    else if (kept.get('revoked') === '0' && revoked.has(hash)) {
      findings.push('I7 a token that the log revokes is good in the store');
    }
  }
  return findings;
}
