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
  config: { readonly url: string; readonly requestMsMax: number }, subject: string,
): Promise<boolean> {
  const url = `${config.url.replace(/\/+$/, '')}/config/${encodeURIComponent(subject)}`;
  const ask = (init: RequestInit): Promise<Response> => (
    fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(config.requestMsMax) })
  );
  const found = await ask({ method: 'GET' });
  const { compatibilityLevel } = await found.json() as { compatibilityLevel?: string };
  if (compatibilityLevel !== NONE) return compatibilityLevel === WANTED;
  const given = await ask({
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ compatibility: WANTED }),
  });
  await given.arrayBuffer();
  if (given.ok || given.status === CONFLICT_STATUS) return true;
  throw new Error(`status ${given.status} to the rule of ${subject}`);
}
