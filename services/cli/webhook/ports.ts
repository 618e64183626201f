import type { OperatorPorts } from '../ports.ts';

/** What the commands about webhooks take. */
export type WebhookPorts = Pick<
  OperatorPorts, 'log' | 'reader' | 'clock' | 'ids' | 'secrets' | 'vault' | 'watch' | 'extents'
>;
