import type { NotificationCodesVersion } from '../../kernel/notification-codes.ts';
import {
  FINAL_STATUSES, type CodeCatalogue, type CodeOrigin, type CodeRow,
} from './catalogue.ts';
import type { NotificationCodeMeaning } from '../../../schemas/generated/types.ts';

/** What the interface says about its codes: `schemas/data/notification-codes.json`. */
export interface InterfaceCodes {
  readonly version: string;
  readonly codes: Readonly<Record<string, {
    readonly name: string | null; readonly required: readonly string[];
  }>>;
}

const COUNTRY = '/payload/location/country_id';

/** Every version of the catalogue, that of the interface alone first, then those of the log. */
export function cataloguesOf(
  base: InterfaceCodes, versions: readonly NotificationCodesVersion[],
): readonly [CodeCatalogue, ...CodeCatalogue[]] {
  const first: CodeCatalogue = {
    version: base.version, validFromMs: 0, codes: codesOfInterface(base), pairs: new Map(),
  };
  return [first, ...versions.map((each) => catalogueOf(base, each))];
}

function catalogueOf(
  base: InterfaceCodes, { version, recorded, appendedAtMs }: NotificationCodesVersion,
): CodeCatalogue {
  const codes = new Map(codesOfInterface(base));
  const origin: CodeOrigin = recorded.sample === true ? 'sample' : 'deployment';
  for (const [code, meaning] of Object.entries(recorded.codes)) {
    codes.set(code, rowOf(meaning, codes.get(code), origin));
  }
  return {
    version: `${base.version}+${version}`,
    validFromMs: Math.max(recorded.valid_from_ms, appendedAtMs + recorded.lead_ms),
    codes,
    pairs: new Map(Object.entries(recorded.carriers ?? {}).map(([clientId, pairs]) => [
      clientId, new Map(Object.entries(pairs).map(([code, own]) => [code, new Set(own)])),
    ])),
  };
}

function codesOfInterface({ codes }: InterfaceCodes): ReadonlyMap<string, CodeRow> {
  return new Map(Object.entries(codes).map(([code, { name, required }]) => [code, {
    description: name ?? undefined, status: undefined, final: false, required, wanted: [],
    origin: 'interface',
  }]));
}

function rowOf(
  { description, status, final, required = [], country_required }: NotificationCodeMeaning,
  known: CodeRow | undefined, origin: CodeOrigin,
): CodeRow {
  const wanted = [...required, ...(country_required === true ? [COUNTRY] : [])];
  const mandatory = known?.required ?? [];
  return {
    description: description ?? known?.description,
    status,
    final: FINAL_STATUSES.includes(status ?? '') || final === true,
    required: mandatory,
    wanted: [...new Set(wanted)].filter((pointer) => !mandatory.includes(pointer)),
    origin,
  };
}
