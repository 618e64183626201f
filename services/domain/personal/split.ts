import { isFields, type Fields } from '../../kernel/json-fields.ts';
import { isWrittenNumber } from '../../kernel/exact-json.ts';
import type { SealedType } from '../../kernel/personal.ts';
import { PERSONAL_RECORDS } from './registry.ts';

/** What the registry says about a place: in clear, or which places below it may be. */
interface Rule {
  isClear: boolean;
  readonly below: Map<string, Rule>;
}

/** A value in two: what may stay in clear, and what must be sealed. Either may be missing. */
interface Parts {
  readonly clear?: unknown;
  readonly personal?: unknown;
}

const ITEMS = '[]';

/**
 * Divides members of a record by the registry. Only what is named there as clear stays so; the rest
 * comes out as a tree of the same shape, for {@link joinPersonal} to put back. Undefined when
 * nothing is personal.
 */
export function splitPersonal<Members extends object>(
  type: SealedType, members: Members,
): { readonly clear: Members; readonly personal: Fields | undefined } {
  const { clear, personal } = divide(RULES.get(type), members);
  return { clear: clear as Members, personal: personal as Fields | undefined };
}

/** Members as they were before {@link splitPersonal}; without `personal`, what is in clear. */
export function joinPersonal(clear: unknown, personal: unknown): unknown {
  if (Array.isArray(clear) && Array.isArray(personal)) {
    const items: readonly unknown[] = personal;
    return clear.map((item, at) => joinItem(item, items[at]));
  }
  if (!isObject(clear) || !isObject(personal)) return clear;
  const added = Object.entries(personal).filter(([name]) => !Object.hasOwn(clear, name));
  const kept = Object.entries(clear).map(([name, member]) => (
    [name, Object.hasOwn(personal, name) ? joinPersonal(member, personal[name]) : member]
  ));
  return Object.fromEntries([...kept, ...added]);
}

/** In a list null replaces the part that an item does not have. */
function joinItem(clear: unknown, personal: unknown): unknown {
  if (personal === null || personal === undefined) return clear;
  return clear === null ? personal : joinPersonal(clear, personal);
}

function divide(rule: Rule | undefined, value: unknown): Parts {
  if (rule === undefined) return { personal: value };
  if (value === null) return { clear: value };
  if (Array.isArray(value)) return divideItems(rule.below.get(ITEMS), value);
  if (!isObject(value)) return rule.isClear ? { clear: value } : { personal: value };
  if (rule.isClear) return { personal: value };
  const clear: [string, unknown][] = [];
  const personal: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const parts = divide(rule.below.get(name), member);
    if ('clear' in parts) clear.push([name, parts.clear]);
    if ('personal' in parts) personal.push([name, parts.personal]);
  }
  return {
    clear: Object.fromEntries(clear),
    ...(personal.length === 0 ? {} : { personal: Object.fromEntries(personal) }),
  };
}

/** A list keeps its length, so that its parts can be joined again; null means nothing. */
function divideItems(rule: Rule | undefined, items: readonly unknown[]): Parts {
  if (rule === undefined) return { personal: items };
  const parts = items.map((item) => divide(rule, item));
  return {
    clear: parts.map(({ clear }) => clear ?? null),
    ...(parts.some((part) => 'personal' in part)
      ? { personal: parts.map(({ personal }) => personal ?? null) }
      : {}),
  };
}

function ruleFor(paths: readonly string[]): Rule {
  const root = newRule();
  for (const path of paths) {
    let at = root;
    for (const name of path.replaceAll(ITEMS, `.${ITEMS}`).split('.')) {
      const next = at.below.get(name) ?? newRule();
      at.below.set(name, next);
      at = next;
    }
    at.isClear = true;
  }
  return root;
}

function newRule(): Rule {
  return { isClear: false, below: new Map() };
}

/** Numbers that keep their digits are objects of the language, but not of JSON. */
function isObject(value: unknown): value is Fields {
  return isFields(value) && !isWrittenNumber(value);
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries(PERSONAL_RECORDS).map(([type, { clear }]) => [type, ruleFor(clear)]),
);
