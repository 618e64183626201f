/** The client kit of the tracking interface: what a package exports. */
export { openClient, type TrackingClient } from './client.ts';
export {
  CallRefused, ItemTooLarge, SenderClosed, SpoolDamaged, SpoolInUse, TokenRefused,
} from './errors.ts';
export type {
  AcceptedBatch, ClientOptions, OtherCall, Ports, SendRates, RefusedBatch, Reply, SpoolOptions,
} from './options.ts';
export type {
  DeliveryHead, DeliveryFix, KeyValue, LocationFix, Problem, Receipt, Telemetry, TelemetryEvent,
} from './types.ts';
