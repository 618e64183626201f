import type { CallArgs } from '../../history.ts';
import type { Evidence } from '../evidence.ts';
import { fieldOf, recordsOf, textOf, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings } from '../verdict.ts';
import { firstBy } from './i05-stop-fence.ts';

/** I7 Revocation: a call that began after a revocation was answered is never accepted. */
export function revocationHolds(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I7');
  const owners = new Map(recordsOf(evidence, TOPIC.tokens)
    .filter(({ value }) => fieldOf(value, 'type') === 'TokenIssued')
    .map(({ key, value }) => [key, textOf(value, 'client_id')]));
  const revoked = firstBy(
    triesOf(evidence, 'revoke-token').filter(({ outcome, args }) => (
      outcome === 'ok' && isOwn(owners, args)
    )),
    ({ args }) => args.subject_token_sha256 ?? '',
  );
  for (const each of evidence.tries) {
    const revocation = revoked.get(each.args.token_sha256 ?? '');
    if (revocation === undefined) continue;
    findings.examine();
    if (each.outcome !== 'ok' || each.from <= revocation.to) continue;
    findings.blame('stale-accept', `${tryName(each)} was accepted with a token that had been `
      + `revoked ${Math.round(each.from - revocation.to)} ms before by ${tryName(revocation)}.`);
  }
  return findings.verdict();
}

/** A token of another client is answered 200, but not revoked. */
function isOwn(owners: ReadonlyMap<string, string>, args: CallArgs): boolean {
  const owner = owners.get(args.token_sha256 ?? '');
  return owner !== undefined && owner === owners.get(args.subject_token_sha256 ?? '');
}
