import type { AuthorizationAsked, AuthorizationTried } from '../../kernel/authorization-calls.ts';
import type { AuthorizationChangeAsked, AuthorizationEvent } from '../../kernel/authorizations.ts';
import {
  orderSubject, shipmentSubject, type SealedPersonal, type SealedType, type Subject,
  type SubjectKeys,
} from '../../kernel/personal.ts';
import { joinPersonal, splitPersonal } from '../personal/split.ts';

type Sealing = Pick<SubjectKeys, 'seal'>;
type Sealable = AuthorizationEvent | AuthorizationAsked | AuthorizationChangeAsked;

/** Whose keys a fact needs before it can be recorded; none when nothing of it is personal. */
export function subjectsOf(fact: Sealable): readonly Subject[] {
  if (fact.type === 'AuthorizationRefused' || isSealed(fact)) return [];
  const { personal } = splitPersonal(fact.type, membersOf(fact));
  return personal === undefined ? [] : [subjectOf(fact)];
}

/** The fact as it goes into the log; one that is sealed already stays as it is. */
export function sealFact<Fact extends Sealable>(keys: Sealing, fact: Fact): Fact {
  if (fact.type === 'AuthorizationRefused' || isSealed(fact)) return fact;
  return { ...fact, ...sealed(keys, fact.type, subjectOf(fact), membersOf(fact)) };
}

/** A carrier's answer as it goes into the log. */
export function sealAnswer(
  keys: Sealing, asked: AuthorizationAsked, answer: object,
): Pick<AuthorizationTried, 'answer' | 'personal'> {
  return sealed(keys, 'AuthorizationTried', callSubject(asked), { answer });
}

/** The request of a call as the carrier gets it; undefined after its data subject was erased. */
export function openRequest(keys: Pick<SubjectKeys, 'open'>, asked: AuthorizationAsked): unknown {
  const { request, personal } = asked;
  if (personal === undefined) return request;
  const opened = keys.open(asked.type, callSubject(asked), personal);
  if (opened === undefined) return undefined;
  return (joinPersonal({ request }, opened) as { readonly request: unknown }).request;
}

/** Whom a call of a carrier is about. */
export function callSubject(
  { client_id, transport_order_id }: Pick<AuthorizationAsked, 'client_id' | 'transport_order_id'>,
): Subject {
  return orderSubject(client_id, transport_order_id);
}

type Personal = Exclude<Sealable, { readonly type: 'AuthorizationRefused' }>;

/** A member that is missing must not come into being. */
function membersOf(fact: Personal): object {
  if (fact.type !== 'ShipmentCancelled') return { request: fact.request };
  return fact.reason === undefined ? {} : { reason: fact.reason };
}

function subjectOf(fact: Personal): Subject {
  return fact.type === 'AuthorizationAsked'
    ? callSubject(fact)
    : shipmentSubject(fact.tracking_number);
}

function isSealed(fact: Personal): boolean {
  return fact.personal !== undefined;
}

function sealed<Members extends object>(
  keys: Sealing, type: SealedType, subject: Subject, members: Members,
): { [Name in keyof Members]?: Members[Name] } & { personal?: SealedPersonal } {
  const { clear, personal } = splitPersonal(type, members);
  const seal = personal === undefined ? undefined : keys.seal(type, subject, personal);
  // What is wholly personal has no clear part, and its name stays away too.
  const gone = Object.keys(members).filter((name) => !Object.hasOwn(clear, name));
  return {
    ...Object.fromEntries(gone.map((name) => [name, undefined])),
    ...clear,
    ...(seal === undefined ? {} : { personal: seal }),
  };
}
