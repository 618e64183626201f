import type { Offender } from '../offender.ts';
import { ANALYSTS } from './analysts.ts';
import { BODIES } from './bodies.ts';
import { GREEDY } from './greedy.ts';
import { LINES } from './lines.ts';
import { LIVE } from './live.ts';
import { PARTIES } from './parties.ts';
import { STRANGERS } from './strangers.ts';
import { WEBHOOKS } from './webhooks.ts';

/** Every known way in which a caller misbehaves. */
export const OFFENDERS: readonly Offender[] = [
  ...STRANGERS, ...LINES, ...BODIES, ...GREEDY, ...LIVE, ...PARTIES, ...WEBHOOKS, ...ANALYSTS,
];
