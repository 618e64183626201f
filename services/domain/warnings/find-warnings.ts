import { isFields } from '../../kernel/json-fields.ts';
import type { FoundWarnings, TakenBody, WarningFacts } from '../../kernel/warnings.ts';
import { createCollector } from './collect.ts';
import { itemsOf } from './items.ts';
import { warnOfNames } from './names.ts';
import { warnOfCoordinates } from './coordinates.ts';
import { warnOfSpeedUnit } from './speeds.ts';
import { warnOfReversed, warnOfTimes } from './times.ts';
import { warnOfCodes, warnOfValues } from './values.ts';

/**
 * What may be meant otherwise in a body that follows its schema. Nothing of it is a reason to
 * refuse, so it is computed only for who asks (ADR 0093).
 */
export function findWarnings(
  { operation, body, countryId, nowMs }: TakenBody, { names, boxesOf, isKnownCode }: WarningFacts,
): FoundWarnings {
  const { warn, result } = createCollector();
  const items = itemsOf(operation, body);
  warnOfCoordinates(items, countryId, boxesOf, warn);
  warnOfValues(items, warn);
  warnOfSpeedUnit(items, warn);
  warnOfTimes(operation, items, isFields(body) ? body['post_timestamp'] : undefined, nowMs, warn);
  warnOfReversed(items, warn);
  if (operation === 'push-notifications') warnOfCodes(items, isKnownCode, warn);
  if (names !== undefined) warnOfNames(body, names, warn);
  return result();
}
