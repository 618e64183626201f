import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { realOf } from '../../support/dry-runs.ts';
import { dryProbe, type Probe, type Tenant } from '../../support/isolation/calls.ts';
import { CASES } from '../../support/isolation/cases.ts';
import type { Dice } from '../../faults/dice.ts';
import type { CallerKind } from './callers.ts';
import type { ProbeAccount } from './accounts.ts';
import type { Planted } from './planted.ts';
import { OTHER_CASES } from './platform-cases.ts';

/** What there is to ask for: things of every account, the newest last. */
export interface ProbeReach {
  readonly owners: readonly ProbeAccount[];
  readonly things: ReadonlyMap<string, readonly Planted[]>;
}

/** One of each kind, and what a reader of a feed may add to its address. */
const FEED_WISHES = [
  '', 'kinds=receipt', 'kinds=device,journey,command,receipt,dead_letter',
] as const;
const POSITION_WISHES = ['', 'states=true', 'format=binary', 'format=binary&states=true'] as const;

/** The operation that a case is written for: a dry run has that of its operation. */
export function caseIdOf({ id }: Pick<Operation, 'id'>): string {
  return id in OPERATIONS ? realOf(id) : id;
}

/** Draws a call of an operation as a caller may send it, about things of its own and of others. */
export function drawProbe(
  reach: ProbeReach, dice: Dice, operation: Operation, caller: CallerKind,
): Probe {
  const things = drawThings(reach, dice, caller);
  const id = caseIdOf(operation);
  const other = OTHER_CASES[id];
  const usual = CASES[id];
  if (other === undefined && usual === undefined) throw new Error(`No case of ${id}.`);
  const probe = other?.(things) ?? usual?.probe(drawTenant(reach, dice, caller, things), things);
  if (probe === undefined) throw new Error(`No call of ${id}.`);
  return id === operation.id ? wished(dice, operation, probe) : dryProbe(probe);
}

/** Of one account, or each of its names of another: what a curious caller tries. */
function drawThings({ owners, things }: ProbeReach, dice: Dice, { account }: CallerKind): Planted {
  const whose = (): Planted => {
    const own = account === undefined ? undefined : things.get(account.name);
    const chosen = own !== undefined && dice.chance(0.5)
      ? own : things.get(dice.pick(owners).name) ?? [];
    return dice.pick(chosen);
  };
  const all = whose();
  if (dice.chance(0.5)) return all;
  return Object.fromEntries(Object.keys(all).map((name) => (
    [name, whose()[name as keyof Planted]]))) as unknown as Planted;
}

/** Who the caller says that it is: mostly itself. Only its own secret is known to it. */
function drawTenant(
  { owners }: ProbeReach, dice: Dice, { account }: CallerKind, things: Planted,
): Tenant {
  const own = account ?? dice.pick(owners);
  return {
    id: dice.chance(0.8) ? own.client.client_id : things.owner, secret: account?.secret ?? 'none',
    provider: dice.chance(0.6) ? own.provider : things.provider, tokens: {} as Tenant['tokens'],
  };
}

function wished(dice: Dice, { id }: Operation, probe: Probe): Probe {
  const wish = /^follow-.*fixes$/.test(id) ? dice.pick(POSITION_WISHES)
    : id.startsWith('follow-') ? dice.pick(FEED_WISHES) : '';
  if (wish === '') return probe;
  return { ...probe, path: `${probe.path}${probe.path.includes('?') ? '&' : '?'}${wish}` };
}
