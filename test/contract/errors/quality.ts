import { CODES, type Code } from '../../../services/kernel/codes.ts';
import { EDGE_TOKEN } from '../../support/edge.ts';
import { CALLER_SECRET } from '../../support/whole-edge.ts';
import type { ListedFault, SaidAnswer } from './read-answer.ts';

/** Codes of which an answer has to name the member, or the parameter, that is at fault. */
const OF_A_MEMBER: ReadonlySet<string> = new Set([
  'validation_failed', 'missing_parameter', 'reserved_name', 'duplicate_key', 'malformed_json',
  'number_out_of_range', 'too_deep', 'not_allowed', 'command_key_reused', 'device_not_allowed',
  'tracking_not_started', 'tracking_stopped', 'telemetry_request_unknown',
]);
/** Marks that only a regular expression has. */
const REGULAR_EXPRESSION = /(?<!2)\^|\\[dwsSDWb.+]|\(\?|\[[A-Za-z0-9]-|\$[).]?$|must match/;

/** What a fault of each code has to name: what was expected, and what was got where that helps. */
const NAMED: Readonly<Partial<Record<Code, RegExp>>> = {
  required: /is mandatory/,
  type: /must be .+, not (an? \w+|null)/,
  enum: /must be one of .+"|, not (an? \w+|null)/,
  const: /must be "/,
  pattern: /must (be|have) \w+/,
  format: /such as /,
  minimum: /must not be less than .*\d/,
  maximum: /must not be greater than .*\d|looks like \w+seconds; send seconds/,
  min_length: /must not be empty|at least \d+ characters?, and has \d+/,
  max_length: /at most \d+ characters?, and has \d+/,
  min_items: /at least \d+ items?, and has \d+/,
  max_items: /at most \d+ items?, and has \d+/,
};

/** What denials have to name: the right that is needed, or that the caller has. */
const NEEDED: Readonly<Partial<Record<Code, RegExp>>> = {
  invalid_token: /of audience [a-z-]+/,
  wrong_audience: /for the audience [a-z-]*, another than [a-z-]+, which is needed here/,
  insufficient_scope: /lacks the scope [a-z:]+; it has /,
  invalid_client: /Basic|client id or the secret/,
  invalid_target: /may have tokens for /,
  provider_not_allowed: /may speak for /,
  client_id_mismatch: /X-Client-Id/,
};

/** The rules that each answer to a wrong call keeps; what it breaks, in sentences. */
export function faultsOfQuality(said: SaidAnswer): readonly string[] {
  if (said.status < 400) return [];
  const texts = [said.detail, ...said.faults.map(({ message }) => message)];
  return [
    ...texts.flatMap(textFaults),
    ...said.faults.flatMap(namedFaults),
    ...(OF_A_MEMBER.has(said.code ?? '') && said.type !== undefined && said.faults.length === 0
      ? [`${String(said.code)} names no member`] : []),
    ...neededFaults(said),
    ...headerFaults(said),
    ...[EDGE_TOKEN, CALLER_SECRET].filter((secret) => said.whole.includes(secret))
      .map(() => 'a secret is repeated'),
  ];
}

function textFaults(text: string): readonly string[] {
  return [
    ...(/[.?]$/.test(text) ? [] : [`no sentence: ${text}`]),
    ...(REGULAR_EXPRESSION.test(text) ? [`a raw regular expression: ${text}`] : []),
    ...(text.length > 700 ? [`too long to be read: ${text.slice(0, 80)}…`] : []),
  ];
}

function namedFaults({ code, message, pointer }: ListedFault): readonly string[] {
  const named = NAMED[code as Code];
  const isPointer = pointer === '' || pointer.startsWith('/');
  return [
    ...(named === undefined || named.test(message) ? [] : [`${code} does not say enough: ${message}`]),
    ...(isPointer ? [] : [`no pointer: ${pointer}`]),
  ];
}

function neededFaults({ code, detail, status }: SaidAnswer): readonly string[] {
  if (status !== 401 && status !== 403) return [];
  const isOurs = code !== undefined && Object.hasOwn(CODES, code);
  const all = Object.values(NEEDED);
  const needed = isOurs ? [NEEDED[code as Code]].filter((each) => each !== undefined) : all;
  const isSaid = needed.length === 0 || needed.some((each) => each.test(detail));
  return isSaid ? [] : [`the right that is needed is not named: ${detail}`];
}

function headerFaults({ status, headers, detail }: SaidAnswer): readonly string[] {
  if (status === 429 && headers['retry-after'] === undefined) return ['429 without Retry-After'];
  if (status !== 405) return [];
  const allowed = headers['allow']?.split(', ') ?? [];
  const isNamed = allowed.length > 0 && allowed.every((method) => detail.includes(method));
  return isNamed ? [] : ['405 without Allow, or other methods in its sentence'];
}

/** A name as all conventions of writing it have it. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/**
 * Names of a body that differ from a missing one by capitals and marks alone, and that the answer
 * does not show.
 */
export function unshownNames(sent: unknown, { faults, detail }: SaidAnswer): readonly string[] {
  return faults.filter(({ code }) => code === 'required').flatMap(({ pointer, message }) => {
    const names = pointer.split('/').slice(1);
    const missing = names.pop() ?? '';
    const holder = names.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown> | undefined)?.[name], sent,
    );
    return Object.keys(holder ?? {})
      .filter((name) => plain(name) === plain(missing) && !`${message} ${detail}`.includes(name));
  });
}
