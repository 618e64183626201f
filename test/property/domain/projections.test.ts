import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callDueOf, foldCall, storedCallOf, UNKNOWN_CALL,
} from '../../../services/domain/authorization/call-projection.ts';
import {
  foldMove, storedOf, UNKNOWN_ORDER,
} from '../../../services/domain/authorization/projection.ts';
import {
  foldOpened, foldRead, UNKNOWN_FEED,
} from '../../../services/domain/feed/projection.ts';
import {
  foldIssued, foldMonitoring, foldResult, foldTelemetryRequest, UNKNOWN_COMMAND,
} from '../../../services/domain/monitoring/projection.ts';
import { foldKeyFact, UNKNOWN_SUBJECT } from '../../../services/domain/personal/projection.ts';
import { newestParty, newestProvider } from '../../../services/domain/party/projection.ts';
import type { AuthorizationMove } from '../../../services/kernel/authorizations.ts';
import type { PersonalKeyEvent } from '../../../services/kernel/personal.ts';
import type { RecordId } from '../../../services/kernel/record-id.ts';
import { aCancellation, anAsk, anAuthorization, aTry } from '../../support/authorization-facts.ts';
import { aCommand, aParty, aResult, aTelemetryRequest } from '../../support/command-facts.ts';

/** Facts in the order of the log, with their record ids, and the same in any order, repeated. */
function histories<Fact>(fact: fc.Arbitrary<Fact>) {
  return fc.array(fact, { minLength: 1, maxLength: 8 }).chain((facts) => {
    const log = facts.map((each, at) => ({ fact: each, id: recordId(at) }));
    const some = fc.array(fc.constantFrom(...log), { maxLength: 4 });
    return some.chain((again) => fc.record({
      log: fc.constant(log),
      shuffled: fc.shuffledSubarray([...log, ...again], { minLength: log.length + again.length }),
    }));
  });
}

function recordId(at: number): RecordId {
  return { topicId: 'topic', partition: 0, offset: BigInt(at) };
}

const small = fc.integer({ min: 1, max: 3 });

describe('A projection ends in the same state in any order and repetition:', () => {
  it('authorizations, of which the first in the log counts', () => {
    const move = fc.record({ epoch: small, at_ms: small, isCancel: fc.boolean() }).map(
      ({ epoch, at_ms, isCancel }): AuthorizationMove => (isCancel
        ? aCancellation('order', epoch, { at_ms })
        : anAuthorization('order', epoch, { at_ms, tracking_number: `RS${at_ms}` })),
    );
    fc.assert(fc.property(histories(move), ({ log, shuffled }) => {
      const fold = (facts: typeof log) =>
        facts.reduce((order, { fact, id }) => foldMove(order, fact, id), UNKNOWN_ORDER);
      expect(storedOf(fold(shuffled), 0)).toEqual(storedOf(fold(log), 0));
      expect(fold(shuffled).first).toEqual(fold(log).first);
    }));
  });

  it('calls of carriers', () => {
    const asked = anAsk('call');
    const fact = fc.oneof(
      small.map((round) => ({ ...asked, round })),
      fc.record({
        round: small, attempt: small, outcome: fc.constantFrom('retry', 'parked', 'authorized'),
      }).map(({ round, attempt, outcome }) => (
        { ...aTry(asked, attempt, { outcome: outcome as 'retry' }), round }
      )),
    );
    fc.assert(fc.property(histories(fact), ({ log, shuffled }) => {
      const fold = (facts: typeof log) =>
        facts.reduce((call, { fact: each }) => foldCall(call, each), UNKNOWN_CALL);
      expect(storedCallOf(fold(shuffled))).toEqual(storedCallOf(fold(log)));
      expect(callDueOf(fold(shuffled))).toEqual(callDueOf(fold(log)));
    }));
  });

  it('commands, their results, and what they mean for their transport', () => {
    const start = aCommand('start_tracking', 7);
    const stop = aCommand('stop_tracking', 7);
    const requests = ['a', 'b'].map((command_id) => aTelemetryRequest('x', 7, { command_id }));
    const command = fc.constantFrom(start, stop, ...requests);
    fc.assert(fc.property(histories(command), ({ log, shuffled }) => {
      const monitoring = (facts: typeof log) => facts.reduce<ReturnType<typeof foldMonitoring>>(
        (kept, { fact, id }) => foldMonitoring(kept, fact, id), undefined,
      );
      const request = (facts: typeof log) => facts
        .reduce<ReturnType<typeof foldTelemetryRequest>>(
          (kept, { fact }) => foldTelemetryRequest(kept, fact), undefined,
        );
      expect(monitoring(shuffled)).toEqual(monitoring(log));
      expect(request(shuffled)).toEqual(request(log));
    }));
    const result = fc.record({
      fence: small, attempt: small,
      outcome: fc.constantFrom('retry', 'done', 'refused', 'ended', 'cancelled'),
    }).map(({ fence, attempt, outcome }) => aResult(start, {
      fence, attempt, outcome: outcome as 'retry',
      // Who has a fence tries each attempt once, so two results differ in what decides.
      status: fence * 100 + attempt * 10 + Number(outcome === 'retry'), at_ms: 1,
    }));
    fc.assert(fc.property(histories(result), ({ log, shuffled }) => {
      const fold = (facts: typeof log) => foldIssued(
        facts.reduce((record, { fact }) => foldResult(record, fact), UNKNOWN_COMMAND), start,
      );
      expect(fold(shuffled).result?.status).toEqual(fold(log).result?.status);
      expect(fold(shuffled).issued).toEqual(fold(log).issued);
    }));
  });

  it('feeds', () => {
    const read = fc.record({ items: small, pages: small }).map(({ items, pages }) => ({
      type: 'FeedRead' as const, carrier: 'c', tracking_number: 'n', items, pages,
      cursor: `${items} ${pages}`, at_ms: 1,
    }));
    fc.assert(fc.property(histories(fc.oneof(read, small)), ({ log, shuffled }) => {
      const fold = (facts: typeof log) => facts.reduce((feed, { fact }) => (
        typeof fact === 'number' ? foldOpened(feed, fact, `spelling ${fact}`) : foldRead(feed, fact)
      ), UNKNOWN_FEED);
      expect(fold(shuffled)).toEqual(fold(log));
    }));
  });

  it('keys of personal data, of which only those of erased subjects are dropped', () => {
    const subject = 'shipment:1';
    const key = fc.record({ id: fc.constantFrom('a', 'b', 'c'), at_ms: small });
    const recorded = key.map(({ id, at_ms }): PersonalKeyEvent => ({
      type: 'PersonalKeyRecorded', subject, key_id: `${id}${at_ms}`, wrapped: id, at_ms,
    }));
    const dropped = key.map(({ id, at_ms }): PersonalKeyEvent => (
      { type: 'PersonalKeyDropped', subject, key_id: `${id}${at_ms}`, at_ms }
    ));
    const erased = small.map((at_ms): PersonalKeyEvent => (
      { type: 'PersonalErased', subject, at_ms }
    ));
    const same = (log: readonly PersonalKeyEvent[], shuffled: readonly PersonalKeyEvent[]) => {
      const fold = (facts: readonly PersonalKeyEvent[]) => {
        const { keys, dropped: gone, offer: _, ...rest } = facts.reduce(
          foldKeyFact, UNKNOWN_SUBJECT,
        );
        return { ...rest, keys: Object.fromEntries(keys), gone: [...gone].sort() };
      };
      expect(fold(shuffled)).toEqual(fold(log));
    };
    const facts = (all: readonly { readonly fact: PersonalKeyEvent }[]) =>
      all.map(({ fact }) => fact);
    fc.assert(fc.property(histories(recorded), ({ log, shuffled }) => {
      same(facts(log), facts(shuffled));
    }));
    fc.assert(fc.property(
      histories(fc.oneof(recorded, dropped, erased)), fc.nat({ max: 20 }),
      ({ log, shuffled }, at) => {
        const end: PersonalKeyEvent = { type: 'PersonalErased', subject, at_ms: 1 };
        same([...facts(log), end], facts(shuffled).toSpliced(at, 0, end));
      },
    ));
  });

  it('parties', () => {
    const party = aParty();
    const fact = small.map((version) => ({ ...party, version, at_ms: version }));
    fc.assert(fc.property(histories(fact), ({ log, shuffled }) => {
      const fold = (facts: typeof log) => facts.reduce<Partial<ReturnType<typeof pair>>>(
        (kept, { fact: each }) => pair(kept, each), {},
      );
      const pair = (
        kept: { party?: typeof party; index?: ReturnType<typeof newestProvider> },
        each: typeof party,
      ) => ({ party: newestParty(kept.party, each), index: newestProvider(kept.index, each) });
      expect(fold(shuffled)).toEqual(fold(log));
    }));
  });
});
