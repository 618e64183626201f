import { ASKS_PER_HOUR_MAX } from '../../../domain/examination/examination.ts';
import { isOwnParty } from '../../../domain/examination/own-parties.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { ExaminationAsked, Examinations } from '../../../kernel/examinations.ts';
import type { Answer, ErrorForm, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Parties } from '../../../kernel/parties.ts';
import { defineOperation } from '../../common/catalog.ts';
import { examinationResource } from '../examination-resource.ts';

/** What asking for an examination needs; a worker makes it. */
export interface ExaminePartyPorts {
  readonly parties: Pick<Parties, 'find'>;
  readonly examinations: Pick<Examinations, 'ask'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What bodies are about where the call names no country. */
  readonly country: string;
}

/** As many as names of a run of the command line have. */
const RUN_DIGITS = 8;
const BECAUSE = {
  in_progress: 'An examination of this address is in progress; its checks are in the list of examinations.',
  hour: `The address was examined ${ASKS_PER_HOUR_MAX} times within an hour; that is the most.`,
} as const;

/**
 * `POST …/examinations/{party_id}`: has the address of a party that is the caller examined. There
 * are two, because providers and carriers have tokens of other audiences.
 */
export function examineParty(
  id: 'examine-party' | 'examine-tracking-party',
  { parties, examinations, clock, ids, country }: ExaminePartyPorts, errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller: { clientId, sandbox }, params, query }) {
      if (sandbox === true) {
        return {
          kind: 'refusal', code: 'insufficient_scope',
          detail: 'A sandbox client is no party that the platform calls; ask as a client that is real.',
        };
      }
      const party = await parties.find(params.party_id);
      if (party === undefined || !isOwnParty(party, clientId)) return noSuchParty();
      const asked = await examinations.ask({
        partyId: party.party_id, clientId,
        // A carrier's call has none.
        country: Object.hasOwn(query, 'country_id') ? query['country_id'] : country,
        run: ids.nonce().slice(0, RUN_DIGITS),
      });
      if (asked.kind === 'wait') return busy(asked);
      const body = examinationResource(party, asked.examination, clock.nowMs());
      return { kind: 'answer', status: 202, body };
    },
  });
}

/** A party of another client is answered like one that is not there. */
function noSuchParty(): Answer {
  return {
    kind: 'refusal', code: 'party_not_found',
    detail: 'The caller is no party of this id that the platform calls.',
  };
}

function busy(
  { because, retryAfterSeconds }: Extract<ExaminationAsked, { kind: 'wait' }>,
): Answer {
  return { kind: 'refusal', code: 'rate_limited', retryAfterSeconds, detail: BECAUSE[because] };
}
