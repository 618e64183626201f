import { COMMAND_MISTAKES } from './command-mistakes.ts';
import { DATA_MISTAKES } from './data-mistakes.ts';
import { DEVICE_MISTAKES } from './device-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { SHIPMENT_MISTAKES } from './shipment-mistakes.ts';
import { TOKEN_MISTAKES } from './token-mistakes.ts';

/** Every mistake; each check of the kit has at least one. */
export const MISTAKES: readonly Mistake[] = [
  ...TOKEN_MISTAKES, ...DEVICE_MISTAKES, ...DATA_MISTAKES, ...SHIPMENT_MISTAKES,
  ...COMMAND_MISTAKES,
];
