import type { ErrorForm } from '../../kernel/http.ts';
import { problemErrors } from './problem.ts';

/**
 * Errors of notifications: the common body, but a missing or bad token is 401, and only what a good
 * token does not open is 403 (decisions.md, Missing or bad token).
 */
export const notificationErrors: ErrorForm = {
  write(refusal, requestId, path) {
    const written = problemErrors.write(refusal, requestId, path);
    if (refusal.code !== 'invalid_token') return written;
    return { ...written, status: 401, body: { ...(written.body as object), status: 401 } };
  },
};
