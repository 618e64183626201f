import { lastFactMs, type ShipmentRecord } from '../domain/journey/projection.ts';
import type { Digest } from '../kernel/digest.ts';
import { finishedEndMs, packedEndMs } from '../kernel/lifetimes.ts';
import type { EntryChange, StateStore, StateTransaction } from '../kernel/state-store.ts';
import { Unavailable } from '../kernel/unavailable.ts';
import { changeOf } from './entries.ts';
import {
  findShipments, finishedKey, shipmentKey, type FoundShipment,
} from './find-shipments.ts';
import { FROM_THE_LOG } from './fold-facts.ts';
import { packShipment, type PackedShipment } from './pack-shipment.ts';
import { shipmentFields } from './shipment-fields.ts';
import { formsKey, keepForms, type FoundForms } from './shipment-forms.ts';
import { ROUNDS_MAX } from './transact.ts';

/** A shipment, and what it is after some facts. */
export interface ShipmentWork {
  readonly number: string;
  readonly nextOf: (shipment: ShipmentRecord) => ShipmentRecord;
}

/** A part is swept when a shipment is packed whose last fact is of one in so many days. */
const SWEEP_DAYS = 16;
const DAY_MS = 86_400_000;

/** A shipment with what it is next, packed where it can be. */
interface Next extends FoundShipment {
  readonly work: ShipmentWork;
  readonly next: ShipmentRecord;
  readonly packed: PackedShipment | undefined;
}

/**
 * Applies facts of the log to shipments until no write came between. Where a shipment lies follows
 * from what is known of it. A finished one is packed in the transaction that makes it final, and
 * one that goes on is taken out. So any order of facts ends in the same entries (ADR 0066).
 */
export async function changeShipments(
  { store, digest }: { readonly store: StateStore; readonly digest: Digest },
  works: readonly ShipmentWork[],
): Promise<void> {
  let open = works;
  for (let round = 0; open.length > 0; round += 1) {
    if (round === ROUNDS_MAX) throw new Unavailable('state_busy', 'apply', 'the state changes too fast');
    open = await changeOnce(store, digest, open);
  }
}

/** Answers the works that another write came between; those of one part are one transaction. */
async function changeOnce(
  store: StateStore, digest: Digest, works: readonly ShipmentWork[],
): Promise<readonly ShipmentWork[]> {
  const { nowMs, found } = await findShipments(
    store, works.map(({ number }) => number), FROM_THE_LOG,
  );
  const nexts = found.flatMap((each, at): Next[] => {
    const work = works[at];
    if (work === undefined) return [];
    const next = work.nextOf(each.shipment);
    return [{ ...each, work, next, packed: packShipment(digest, each.number, next, nowMs) }];
  });
  const forms = await keepForms(store, nexts.flatMap(({ packed }) => packed ?? []), FROM_THE_LOG);
  const groups = [...Map.groupBy(nexts, ({ number }) => {
    const { shard, id } = finishedKey(number);
    return `${shard}:${id}`;
  }).values()];
  const left = await leftIn(store, groups, nowMs);
  const written = groups.flatMap((group, at) => {
    const transaction = transactionOf(group, forms, left[at] ?? [], nowMs);
    return transaction === undefined ? [] : [{ group, transaction }];
  });
  if (written.length === 0) return [];
  const isDone = await store.commit(written.map(({ transaction }) => transaction), FROM_THE_LOG);
  return written.filter((_, at) => isDone[at] !== true)
    .flatMap(({ group }) => group.map(({ work }) => work));
}

/** Numbers of packed shipments that have left, of the parts whose turn it is. */
async function leftIn(
  store: StateStore, groups: readonly (readonly Next[])[], nowMs: number,
): Promise<readonly (readonly string[])[]> {
  const isDue = groups.map((group) => group.some(({ packed, next }) => (
    packed !== undefined && Math.floor(lastFactMs(next) / DAY_MS) % SWEEP_DAYS === 0
  )));
  const due = groups.filter((_, at) => isDue[at]);
  if (due.length === 0) return [];
  const { entries } = await store.read(
    due.flatMap(([first]) => first === undefined ? [] : [finishedKey(first.number)]), FROM_THE_LOG,
  );
  let nth = 0;
  return isDue.map((is) => !is ? [] : [...entries[nth++]?.fields ?? []]
    .filter(([, packed]) => packedEndMs(packed) <= nowMs).map(([number]) => number));
}

/** What changes in one part, and in the entries of the shipments that belong there. */
function transactionOf(
  group: readonly Next[], forms: FoundForms, left: readonly string[], nowMs: number,
): StateTransaction | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const set: Record<string, string> = {};
  const drop = new Set(left);
  const owns = group.flatMap(({ number, own, part, next, packed }): EntryChange[] => {
    const ownKey = shipmentKey(number);
    const lies = part.fields.get(number);
    if (packed !== undefined && forms.form(packed.shard, packed.name) === packed.form) {
      const { text } = packed;
      drop.delete(number);
      if (text !== lies) set[number] = text;
      if (own.version > 0) return [{ key: ownKey, version: own.version, remove: true }];
      return text === lies ? [] : [{ key: ownKey, version: 0 }];
    }
    if (lies !== undefined) drop.add(number);
    const change = changeOf(ownKey, own, shipmentFields(next, nowMs));
    return change === undefined ? [] : [change];
  });
  const key = finishedKey(first.number);
  // Read in several calls, it may have two versions: then the least one conflicts.
  const version = Math.min(...group.map(({ part }) => part.version));
  const isPartChanged = Object.keys(set).length > 0 || drop.size > 0;
  if (isPartChanged) {
    // A part lasts longer than all that is in it, also where a clock is a little ahead.
    const expireAtMs = finishedEndMs(nowMs + DAY_MS);
    owns.push({ key, version, set, drop: [...drop], expireAtMs });
  } else if (owns.some((change) => change.version === 0)) owns.push({ key, version });
  if (Object.keys(set).length > 0) {
    owns.push({ key: formsKey(key.shard), version: forms.version(key.shard) });
  }
  return owns.length === 0 ? undefined : { entries: owns };
}
