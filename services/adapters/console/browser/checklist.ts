import type { ClientCalls } from '../../../../schemas/generated/types.ts';
import type { TEXTS } from './texts.ts';

/** The name of a step, as its text has it. */
export type StepName = keyof typeof TEXTS.steps;

/** A step of an integration, and when it was done first. */
export interface PartnerStep {
  readonly name: StepName;
  readonly firstAt: string | undefined;
}

/** The steps in the order of the tutorials; one of the operations of a step is enough. */
export const STEPS: readonly (readonly [name: StepName, operations: readonly string[]])[] = [
  ['token', ['issue-token']],
  ['register', ['register-device']],
  ['start', ['start-device-tracking', 'start-device-tracking-by-entity']],
  ['tryLocations', ['dry-run-send-locations']],
  ['locations', ['send-locations']],
  ['events', ['send-telemetry-events']],
  ['deferred', ['send-deferred-events']],
  ['delivery', ['send-delivery-locations']],
  ['tryAuthorize', ['dry-run-authorize-shipment']],
  ['authorize', ['authorize-shipment']],
  ['tryNotify', ['dry-run-push-notifications']],
  ['notify', ['push-notifications']],
  ['receipt', ['show-ingest', 'show-tracking-ingest']],
  ['pull', ['pull-notifications']],
  ['journey', ['show-journey']],
  ['cancel', ['cancel-shipment']],
  ['stop', ['stop-device-tracking', 'stop-device-tracking-by-entity']],
  ['revoke', ['revoke-token']],
];

/** The steps of a client: those whose operations are open to it, as the gateway says. */
export function stepsOf({ operations }: Pick<ClientCalls, 'operations'>): readonly PartnerStep[] {
  return STEPS.flatMap(([name, ids]) => {
    const open = operations.filter(({ operation }) => ids.includes(operation));
    const times = open.flatMap(({ first_at }) => first_at ?? []);
    return open.length === 0 ? [] : [{ name, firstAt: times.toSorted()[0] }];
  });
}
