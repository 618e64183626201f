import type { Model } from './core/model.ts';
import { authorizationsModel } from './models/authorizations.ts';
import { commandsModel } from './models/commands.ts';
import { devicesModel } from './models/devices.ts';
import { notificationsModel } from './models/notifications.ts';
import { tokensModel } from './models/tokens.ts';

/** Every model there is. */
export const MODELS: readonly Model[] = [
  tokensModel, devicesModel, authorizationsModel, notificationsModel, commandsModel,
];

/** The model of a name; throws when there is none. */
export function modelNamed(name: string): Model {
  const found = MODELS.find((model) => model.name === name);
  if (found === undefined) {
    throw new Error(`no model ${name}; there are ${MODELS.map((each) => each.name).join(', ')}`);
  }
  return found;
}
