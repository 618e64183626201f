import type { Fields } from '../../kernel/json-fields.ts';
import {
  FINAL_STATUSES, type CodeCatalogue, type CodeOrigin, type CodeRow,
} from './catalogue.ts';

const STATUS = /^[a-z][a-z_]{0,63}$/;

/**
 * Makes the catalogue from the table of the interface and, where there is one, the file of the
 * deployment, which may give codes a name, a status and finality, and carriers their pairs. Throws
 * an error that names the fault, because a half understood table would decide wrongly forever.
 */
export function readCatalogue(base: unknown, deployment: unknown): CodeCatalogue {
  const first = fieldsOf(base, 'the table of the interface');
  const codes = new Map<string, CodeRow>();
  addCodes(codes, first, 'interface');
  if (deployment === undefined) {
    return { version: textOf(first, 'version'), codes, pairs: new Map() };
  }
  const own = fieldsOf(deployment, 'the codes file');
  addCodes(codes, own, own['example'] === true ? 'example' : 'deployment');
  return {
    version: `${textOf(first, 'version')}+${textOf(own, 'version')}`,
    codes,
    pairs: pairsOf(own['carriers']),
  };
}

function addCodes(codes: Map<string, CodeRow>, file: Fields, origin: CodeOrigin): void {
  for (const [code, value] of Object.entries(fieldsOf(file['codes'], 'codes'))) {
    codes.set(code, rowOf(code, fieldsOf(value, code), codes.get(code), origin));
  }
}

function rowOf(code: string, row: Fields, known: CodeRow | undefined, origin: CodeOrigin): CodeRow {
  const { name, status, final, required } = row;
  if (!isOptionalText(name)) throw new Error(`Code ${code}: name must be a text.`);
  if (!isOptionalText(status) || (status && !STATUS.test(status))) {
    throw new Error(`Code ${code}: status must match ${STATUS.source}.`);
  }
  if (typeof (final ?? false) !== 'boolean') throw new Error(`Code ${code}: final is no boolean.`);
  if (required !== undefined && origin !== 'interface') {
    throw new Error(`Code ${code}: only the interface says which fields are mandatory.`);
  }
  const isEnd = FINAL_STATUSES.includes(status ?? '');
  if (isEnd && final === false) {
    throw new Error(`Code ${code}: the status ${status ?? ''} is always final.`);
  }
  return {
    name: name ?? known?.name,
    status: status ?? known?.status,
    final: isEnd || final === true,
    required: known?.required ?? textsOf(required ?? [], `${code}: required`),
    origin,
  };
}

function pairsOf(carriers: unknown): CodeCatalogue['pairs'] {
  const entries = Object.entries(fieldsOf(carriers ?? {}, 'carriers'));
  return new Map(entries.map(([clientId, value]) => {
    const pairs = fieldsOf(fieldsOf(value, clientId)['pairs'], `${clientId}: pairs`);
    return [clientId, new Map(Object.entries(pairs).map(
      ([code, own]) => [code, new Set(textsOf(own, `${clientId}: ${code}`))],
    ))];
  }));
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`${place} must be an object.`);
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${name} must be a text.`);
}

function textsOf(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Error(`${place} must be a list of texts.`);
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || (typeof value === 'string' && value !== '');
}
