import type { PartyExaminations } from '../../../../schemas/generated/types.ts';
import { isOwnParty } from '../../../domain/examination/own-parties.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { AddressExamination, Examinations } from '../../../kernel/examinations.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import { defineOperation } from '../../common/catalog.ts';
import { examinationResource } from '../examination-resource.ts';

/** Who knows parties, and what was found at their addresses. */
export interface ExaminationListPorts {
  readonly parties: Pick<Parties, 'byProvider' | 'carriers'>;
  readonly examinations: Pick<Examinations, 'find'>;
  readonly clock: Clock;
}

/**
 * `GET …/examinations`: the parties that the caller is, with the newest examination of each. There
 * are two, because providers and carriers have tokens of other audiences.
 */
export function listExaminations(
  id: 'list-examinations' | 'list-tracking-examinations',
  { parties, examinations, clock }: ExaminationListPorts, errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller }) {
      const own = await ownParties(parties, caller);
      const found = await examinations.find(own.map(({ party_id }) => party_id));
      const newest = ({ party_id }: PartyRecorded): AddressExamination | undefined => found.find(
        (each) => each.partyId === party_id && each.clientId === caller.clientId,
      );
      const nowMs = clock.nowMs();
      const body: PartyExaminations = {
        parties: own.map((party) => examinationResource(party, newest(party), nowMs)),
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}

async function ownParties(
  parties: ExaminationListPorts['parties'], { clientId, providers }: AdmittedCaller,
): Promise<readonly PartyRecorded[]> {
  const [ofProviders, carriers] = await Promise.all([
    Promise.all(providers.map((name) => parties.byProvider(name))), parties.carriers(),
  ]);
  return [...ofProviders.flatMap((party) => party ?? []), ...carriers]
    .filter((party) => isOwnParty(party, clientId));
}
