import type { ItemKind } from '../history.ts';

/** Names of the topics, written again by hand: the checker takes nothing from the product. */
export const TOPIC = {
  locations: 'rtt.locations.v1',
  events: 'rtt.telemetry-events.v1',
  deferredEvents: 'rtt.deferred-events.v1',
  deliveries: 'delivery.locations.v1',
  lifecycle: 'rtt.device-lifecycle.v1',
  clients: 'oauth.clients.v1',
  tokens: 'oauth.tokens.v1',
  authorizations: 'shipment.authorizations.v1',
  notifications: 'shipment.notifications.v1',
  codes: 'shipment.notification-codes.v1',
  journeys: 'shipment.journey.v1',
  commands: 'provider.commands.v1',
  commandResults: 'provider.command-results.v1',
  deadLetters: 'dead-letters.v1',
  webhooks: 'platform.webhooks.v1',
} as const;

/** Where the log keeps items of a kind. */
export const TOPIC_OF: Readonly<Record<ItemKind, string>> = {
  location: TOPIC.locations,
  event: TOPIC.events,
  'deferred-event': TOPIC.deferredEvents,
  delivery: TOPIC.deliveries,
  notification: TOPIC.notifications,
};
