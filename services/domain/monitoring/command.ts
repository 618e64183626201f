import type { ProviderCommandBody } from '../../kernel/commands.ts';

/**
 * The key of a command in the log: the transport id, or `route:<id>` of its first route. Commands
 * of one key and provider are delivered strictly in their order (decisions.md, Command retry).
 */
export function commandKeyOf(body: ProviderCommandBody): string {
  switch (body.command) {
    case 'start_tracking':
    case 'stop_tracking':
    case 'process_telemetry_events':
      return String(body.transport.id);
    case 'check_planned_routes':
    case 'cancel_planned_routes':
      return `route:${body.planned_routes[0]?.route_id ?? ''}`;
  }
}

/** The transport that a command is about; undefined for commands about routes. */
export function transportIdOf(body: ProviderCommandBody): number | undefined {
  switch (body.command) {
    case 'start_tracking':
    case 'stop_tracking':
    case 'process_telemetry_events':
      return body.transport.id;
    case 'check_planned_routes':
    case 'cancel_planned_routes':
      return undefined;
  }
}
