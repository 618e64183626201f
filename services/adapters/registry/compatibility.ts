import { askRegistry } from './ask.ts';
import type { RegistryConfig } from './config.ts';

/** What every subject promises: records of the version before follow the new one. */
const WANTED = 'BACKWARD';
/** What a subject promises that was made without its rule. */
const NONE = 'NONE';
/** Another process gave the rule in the meantime. */
const CONFLICT_STATUS = 409;

/**
 * Gives a subject its rule where it has none: a registration that broke off after its first call
 * leaves the subject so, and the client refuses it from then on. A rule that an operator set stays.
 * True when the subject has our rule now, false when it has another. Rejects when the registry
 * does not do it within `requestMsMax` a call.
 */
export async function completeSubject(
  config: Omit<RegistryConfig, 'clientId'>, subject: string,
): Promise<boolean> {
  const path = `/config/${encodeURIComponent(subject)}`;
  const found = await askRegistry(config, path, 'GET');
  const { compatibilityLevel } = JSON.parse(found.body) as { compatibilityLevel?: string };
  if (compatibilityLevel !== NONE) return compatibilityLevel === WANTED;
  const { status } = await askRegistry(config, path, 'PUT', { compatibility: WANTED });
  if (status === 200 || status === CONFLICT_STATUS) return true;
  throw new Error(`status ${status} to the rule of ${subject}`);
}
