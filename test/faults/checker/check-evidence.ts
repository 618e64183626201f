import type { Evidence } from './evidence.ts';
import { durableAck } from './invariants/i01-durable-ack.ts';
import { noPhantom } from './invariants/i02-no-phantom.ts';
import { replayEqual } from './invariants/i03-replay.ts';
import { oneRegistration } from './invariants/i04-registration.ts';
import { stopFence } from './invariants/i05-stop-fence.ts';
import { startFirst } from './invariants/i06-start.ts';
import { revocationHolds } from './invariants/i07-revocation.ts';
import { finalIsFinal } from './invariants/i08-finality.ts';
import { orderKept } from './invariants/i09-order.ts';
import { commandsInOrder } from './invariants/i10-commands.ts';
import { oneNumber } from './invariants/i11-authorization.ts';
import { clientsApart } from './invariants/i12-isolation.ts';
import { staysBounded } from './invariants/i13-bounded.ts';
import { codesAreSafe } from './invariants/i14-retry-safe-codes.ts';
import { nothingLeaks } from './invariants/i15-privacy.ts';
import { catchesUp } from './invariants/i16-liveness.ts';
import { restartsUnseen } from './invariants/i17-rolling-restart.ts';
import { noCrashLoop } from './invariants/i18-crash-loop.ts';
import { webhooksPost } from './invariants/i19-webhooks.ts';
import { liveFollows } from './invariants/i20-live.ts';
import { receiptsAreTrue } from './invariants/i21-receipts.ts';
import { liveCounts } from './live/figures.ts';
import type { CheckReport, InvariantVerdict } from './report.ts';

const CHECKS: readonly ((evidence: Evidence) => InvariantVerdict)[] = [
  durableAck, noPhantom, replayEqual, oneRegistration, stopFence, startFirst, revocationHolds,
  finalIsFinal, orderKept, commandsInOrder, oneNumber, clientsApart, staysBounded, codesAreSafe,
  nothingLeaks, catchesUp, restartsUnseen, noCrashLoop, webhooksPost,
  liveFollows, receiptsAreTrue,
];

/** Computes every invariant of a run. */
export function checkEvidence(evidence: Evidence): CheckReport {
  const verdicts = CHECKS.map((each) => each(evidence));
  const items = (outcome: string) => evidence.tries
    .filter((each) => each.outcome === outcome)
    .reduce((sum, each) => sum + each.items.length, 0);
  return {
    verdicts,
    counts: {
      tries: evidence.tries.length,
      accepted_items: items('ok'),
      unknown_items: items('info'),
      refused_items: items('fail'),
      log_records: evidence.log.length,
      rows: evidence.rows.length,
      redis_keys: evidence.state.size,
      party_requests: evidence.requests.length,
      faults: evidence.faults.length,
      ...liveCounts(evidence),
      violations: verdicts.reduce((sum, { violations }) => sum + violations.length, 0),
    },
  };
}
