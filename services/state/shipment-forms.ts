import type { Digest } from '../kernel/digest.ts';
import { FORM_NAME_CHARACTERS } from '../kernel/lifetimes.ts';
import type { StateAccess, StateKey, StateStore } from '../kernel/state-store.ts';

/** The forms of some shards, by their names, and the version of the entry that each is in. */
export interface FoundForms {
  form(shard: number, name: string): string | undefined;
  version(shard: number): number;
}

/** A form and the shard that has it. */
export interface WantedForm {
  readonly shard: number;
  readonly name: string;
  /** Its text, where it will be written. */
  readonly form?: string;
}

/**
 * The name of a form: 48 bits of its digest. Should another form have it in a shard, the shipment
 * is not packed.
 */
export function formName(digest: Digest, form: string): string {
  return Buffer.from(digest(form), 'hex').toString('base64url').slice(0, FORM_NAME_CHARACTERS);
}

/** The name of the form that a packed shipment begins with, and the rest of it. */
export function splitPacked(packed: string): { readonly name: string; readonly rest: string } {
  return { name: packed.slice(0, FORM_NAME_CHARACTERS), rest: packed.slice(FORM_NAME_CHARACTERS) };
}

/** The one entry with the forms of finished shipments of a shard, a field for each. */
export function formsKey(shard: number): StateKey {
  return { shard, kind: 'shipment-forms', id: '' };
}

/** Reads forms by their names, one entry a shard. */
export async function readForms(
  store: StateStore, wanted: readonly WantedForm[], access: StateAccess,
): Promise<FoundForms> {
  const shards = [...Map.groupBy(wanted, ({ shard }) => shard)];
  const { entries } = shards.length === 0 ? { entries: [] } : await store.read(
    shards.map(([shard, own]) => (
      { ...formsKey(shard), only: [...new Set(own.map(({ name }) => name))] }
    )),
    access,
  );
  const found = new Map(shards.map(([shard], at) => [shard, entries[at]]));
  return {
    form: (shard, name) => found.get(shard)?.fields.get(name),
    version: (shard) => found.get(shard)?.version ?? 0,
  };
}

/**
 * Reads forms after those that are missing were written. A form never changes and stays, so one
 * that no shipment takes in the end does no harm: there are as many as parties and final codes that
 * go together.
 */
export async function keepForms(
  store: StateStore, wanted: readonly Required<WantedForm>[], access: StateAccess,
): Promise<FoundForms> {
  for (;;) {
    const found = await readForms(store, wanted, access);
    const missing = wanted.filter(({ shard, name }) => found.form(shard, name) === undefined);
    if (missing.length === 0) return found;
    await store.commit([...Map.groupBy(missing, ({ shard }) => shard)].map(([shard, own]) => ({
      entries: [{
        key: formsKey(shard), version: found.version(shard),
        set: Object.fromEntries(own.map(({ name, form }) => [name, form])),
      }],
    })), access);
  }
}
