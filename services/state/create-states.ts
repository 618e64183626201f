import type { AccessStates, TokenLimits } from '../kernel/access.ts';
import type { AuthorizationCalls } from '../kernel/authorization-calls.ts';
import type { AuthorizationStates } from '../kernel/authorizations.ts';
import type { DeviceDirectory, DeviceStates } from '../kernel/devices.ts';
import type { Digest } from '../kernel/digest.ts';
import type { EntityDirectory } from '../kernel/entities.ts';
import type { ErasedDriverStates } from '../kernel/erased-drivers.ts';
import type { Examinations } from '../kernel/examinations.ts';
import type { FeedStates } from '../kernel/feeds.ts';
import type { Leases } from '../kernel/leases.ts';
import type { OverflowStates } from '../kernel/overflow.ts';
import type { PartyStates } from '../kernel/parties.ts';
import type { PersonalKeyStates } from '../kernel/personal.ts';
import type { ShipmentIndex } from '../kernel/shipment-index.ts';
import type { ShipmentStates } from '../kernel/shipments.ts';
import type { StateStore } from '../kernel/state-store.ts';
import type { WebhookStates } from '../kernel/webhooks.ts';
import { createAccessStates, type AccessConfig } from './access.ts';
import { createAuthorizationCalls } from './authorization-calls.ts';
import { createAuthorizationStates } from './authorizations.ts';
import type { ClaimConfig } from './claims.ts';
import { createCommandViews, type CommandViews } from './commands.ts';
import { createDeviceDirectory } from './device-directory.ts';
import { createDeviceStates } from './devices.ts';
import { createEntityDirectory } from './entity-directory.ts';
import { createErasedDrivers } from './erased-drivers.ts';
import { createExaminations } from './examinations.ts';
import { createFeedStates } from './feeds.ts';
import { createLeases } from './leases.ts';
import { createOverflowStates } from './overflow.ts';
import { createPartyStates } from './parties.ts';
import { createPersonalKeyStates } from './personal-keys.ts';
import { createShipmentIndex } from './shipment-index.ts';
import { createShipmentStates } from './shipments.ts';
import { createWebhookStates } from './webhooks.ts';

/** Settings of all stores. */
export type StatesConfig = AccessConfig & ClaimConfig;

/** What the adapter gives: entries with versions, and what is too hot for them. */
export interface StateParts {
  readonly store: StateStore;
  /** Names of fixed length for what must not be in a key. */
  readonly digest: Digest;
  readonly tokenLimits: TokenLimits;
}

/** One store for each thing that the product keeps state of. */
export interface States extends CommandViews {
  readonly access: AccessStates;
  readonly authorizations: AuthorizationStates;
  readonly authorizationCalls: AuthorizationCalls;
  readonly erasedDrivers: ErasedDriverStates;
  readonly examinations: Examinations;
  readonly feeds: FeedStates;
  readonly leases: Leases;
  readonly overflow: OverflowStates;
  readonly parties: PartyStates;
  readonly personalKeys: PersonalKeyStates;
  readonly shipments: ShipmentStates;
  readonly shipmentIndex: ShipmentIndex;
  readonly devices: DeviceStates;
  readonly directory: DeviceDirectory;
  readonly entities: EntityDirectory;
  readonly webhooks: WebhookStates;
}

/** Makes every store over the parts of an adapter, and hands the parts on beside them. */
export function createStates<Parts extends StateParts>(
  config: StatesConfig, parts: Parts,
): Parts & States {
  const { store, tokenLimits } = parts;
  return {
    ...parts,
    access: createAccessStates(config, store, tokenLimits),
    authorizations: createAuthorizationStates(config, parts),
    authorizationCalls: createAuthorizationCalls(store),
    ...createCommandViews(config, parts),
    erasedDrivers: createErasedDrivers(store),
    examinations: createExaminations(store),
    feeds: createFeedStates(parts),
    leases: createLeases(store),
    overflow: createOverflowStates(store),
    parties: createPartyStates(store),
    personalKeys: createPersonalKeyStates(parts),
    shipments: createShipmentStates(parts),
    shipmentIndex: createShipmentIndex(parts),
    devices: createDeviceStates(config, store),
    directory: createDeviceDirectory(store),
    entities: createEntityDirectory(store),
    webhooks: createWebhookStates(store),
  };
}
