import type { TransportCommandBody } from '../../../schemas/generated/types.ts';
import type { FieldFault } from '../../kernel/http.ts';

/** A command body that was understood, or every fault in it. */
export type CommandReading =
  | { readonly kind: 'command'; readonly body: TransportCommandBody }
  | { readonly kind: 'faults'; readonly errors: readonly FieldFault[] };

const COMMANDS: readonly string[] = ['start_tracking', 'stop_tracking'];
const TEXT_LENGTH_MAX = 255;

/** Reads the body of a transport command (interface, Transport command bodies). */
export function readCommand(body: unknown): CommandReading {
  const root = objectOf(body);
  if (root === undefined) return faults(fault('', 'type', 'must be an object'));
  const errors: FieldFault[] = [];
  if (root['command'] === undefined) errors.push(fault('/command', 'required', 'is mandatory'));
  else if (!COMMANDS.includes(root['command'] as string)) {
    errors.push(fault('/command', 'enum', `must be one of ${COMMANDS.join(', ')}`));
  }
  const transport = objectOf(root['transport']);
  if (transport === undefined) {
    const code = root['transport'] === undefined ? 'required' : 'type';
    errors.push(fault('/transport', code, 'must be an object'));
  } else {
    errors.push(...readId(transport['id']));
    for (const name of ['license_plate', 'country_id']) {
      errors.push(...readText(transport[name], `/transport/${name}`));
    }
  }
  if (errors.length > 0) return faults(...errors);
  return { kind: 'command', body: body as TransportCommandBody };
}

/** A transport id is a number; one that JSON has rounded is refused, never used. */
function readId(id: unknown): FieldFault[] {
  if (id === undefined) return [fault('/transport/id', 'required', 'is mandatory')];
  if (Number.isSafeInteger(id)) return [];
  const code = typeof id === 'number' ? 'number_out_of_range' : 'type';
  return [fault('/transport/id', code, 'must be a whole number that JSON keeps exactly')];
}

function readText(text: unknown, pointer: string): FieldFault[] {
  if (text === undefined) return [fault(pointer, 'required', 'is mandatory')];
  if (typeof text !== 'string') return [fault(pointer, 'type', 'must be a string')];
  if (text === '') return [fault(pointer, 'min_length', 'must not be empty')];
  if (text.length > TEXT_LENGTH_MAX) return [fault(pointer, 'max_length', 'is too long')];
  return [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function fault(pointer: string, code: FieldFault['code'], message: string): FieldFault {
  return { pointer, code, message };
}

function faults(...errors: FieldFault[]): CommandReading {
  return { kind: 'faults', errors };
}
