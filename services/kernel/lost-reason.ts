/** Why there is no reliable answer. `forbidden_address`: the settings do not allow it. */
export type LostReason = 'timeout' | 'network' | 'forbidden_address';
