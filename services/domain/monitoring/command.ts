import type { ProviderCommandBody } from '../../kernel/commands.ts';
import type { TransportId } from '../../kernel/ids.ts';
import { longOf, writtenLong } from '../../kernel/longs.ts';

/**
 * The key of a command in the log: the transport id, or `route:<id>` of its first route. Commands
 * of one key and provider are delivered strictly in their order (decisions.md, Command retry).
 */
export function commandKeyOf(body: ProviderCommandBody): string {
  switch (body.command) {
    case 'start_tracking':
    case 'stop_tracking':
    case 'process_telemetry_events':
      return String(longOf(body.transport.id));
    case 'check_planned_routes':
    case 'cancel_planned_routes':
      return `route:${longOf(body.planned_routes[0]?.route_id ?? 'none')}`;
  }
}

/** The transport that a command is about; undefined for commands about routes. */
export function transportIdOf(body: ProviderCommandBody): TransportId | undefined {
  switch (body.command) {
    case 'start_tracking':
    case 'stop_tracking':
    case 'process_telemetry_events':
      return longOf(body.transport.id);
    case 'check_planned_routes':
    case 'cancel_planned_routes':
      return undefined;
  }
}

const LONG_FIELDS = new Set(['route_id', 'rostering_id']);
const LONG_OWNERS = new Set(['transport', 'carrier']);
const DIGITS = /^-?[0-9]{1,19}$/;

/** A command as its provider gets it: every Long is a JSON number, whatever its size. */
export function commandText(body: ProviderCommandBody): string {
  return JSON.stringify(body, (key, value: unknown): unknown => {
    if (LONG_FIELDS.has(key)) return asNumber(value);
    if (!LONG_OWNERS.has(key) || typeof value !== 'object' || value === null) return value;
    return 'id' in value ? { ...value, id: asNumber(value.id) } : value;
  });
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && DIGITS.test(value) ? writtenLong(value) : value;
}
