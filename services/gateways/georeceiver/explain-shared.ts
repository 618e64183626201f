import type { FieldError, Refusal } from '../../kernel/http.ts';

/** Members that are at the top or in every location, with what they are. */
const SHARED = [
  ['device', 'an object with external_id and external_type'],
  ['traceables', 'a list of objects with id and type'],
] as const;

/**
 * A device or traceables that are nowhere are missing at the top, where they usually are: once,
 * and not in each location. What single locations lack stays as the schema found it.
 */
export function explainShared(body: unknown, refusal: Refusal): Refusal {
  if (typeof body !== 'object' || body === null) return refusal;
  const { errors = [] } = refusal;
  const { locations } = body as { readonly locations?: unknown };
  if (!Array.isArray(locations)) return refusal;
  const moved = SHARED.reduce<readonly FieldError[]>((faults, [name, what]) => {
    const isNowhere = (locations as readonly unknown[]).every((each) => lacks(each, name));
    const lacking = faults.findIndex((fault) => isLackOf(fault, name));
    if (!isNowhere || lacking < 0) return faults;
    const message = `is mandatory here or in every location: ${what}${nearTo(body, name)}.`;
    const fault: FieldError = { pointer: `/${name}`, code: 'required', message };
    return faults.toSpliced(lacking, 1, fault).filter((each) => !isLackOf(each, name));
  }, errors);
  const [first] = moved;
  if (moved === errors || first === undefined) return refusal;
  return { ...refusal, detail: `${first.pointer} ${first.message}`, errors: moved };
}

function isLackOf({ pointer, code }: FieldError, name: string): boolean {
  return code === 'required' && /^\/locations\/\d+\/\w+$/.test(pointer)
    && pointer.endsWith(`/${name}`);
}

function lacks(location: unknown, name: string): boolean {
  return typeof location === 'object' && location !== null && !Object.hasOwn(location, name);
}

/** `device_id` at the top, which RTT has and this endpoint has not. */
function nearTo(body: object, name: string): string {
  const sent = Object.keys(body).find((each) => each.startsWith(`${name}_`) && each.length < 40);
  return sent === undefined ? '' : `; ${sent} is not a field here`;
}
