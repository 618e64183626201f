import { fromCall, changeHeader, ON, changeRequest, changeBody, changeStatus, type Mistake } from './mistake.ts';
import type { ReceivedRequest } from './receiver.ts';

const isBare = (asked: ReceivedRequest): boolean => asked.headers['authorization'] === undefined;

/** Wrong ways to issue and to revoke tokens. */
export const TOKEN_MISTAKES: readonly Mistake[] = [
  {
    check: 'token-issued', name: 'a token that lives an hour',
    twist: changeBody(ON.token, 200, () => ({ expires_in: 3_600 })), complaint: /expires_in.*3600/,
  },
  {
    check: 'token-issued', name: 'a token as plain text',
    twist: changeHeader(ON.token, 'content-type', 'text/plain'), complaint: /content-type "text\/plain/,
  },
  {
    check: 'token-unlike', name: 'the same token for every client',
    twist: changeBody(ON.token, 200, () => ({ access_token: 'one' })), complaint: /"one" both times/,
  },
  {
    check: 'token-request', name: 'tokens for any audience and grant',
    twist: changeStatus(ON.token, 400, 200), complaint: /audience = "everything".*answered 200/,
  },
  {
    check: 'token-as-form', name: 'no forms',
    twist: changeStatus(ON.token, 200, 400, ({ headers }) =>
      headers['content-type'] !== 'application/json'), complaint: /answered 400, not 200/,
  },
  {
    check: 'token-media-type', name: '415 for a table',
    twist: changeStatus(ON.token, 400, 415), complaint: /answered 415, not 400/,
  },
  {
    check: 'token-credentials', name: 'tokens for wrong secrets',
    twist: changeStatus(ON.token, 401, 200), complaint: /answered 200, not 401/,
  },
  {
    check: 'token-error-body', name: 'errors without error',
    twist: changeBody(ON.token, 400, () => ({ error: undefined })), complaint: /\/error .*missing/,
  },
  {
    check: 'token-audience', name: 'one token for everything',
    twist: changeStatus(ON.register, 403, 201), complaint: /answered 201, not 403/,
  },
  {
    check: 'revoke-at-once', name: 'a revocation that is only noted',
    twist: changeRequest(ON.revoke, () => ({ bytes: Buffer.from('token=another') })),
    complaint: /devices answered 201, not 403/,
  },
  {
    check: 'revoke-others', name: 'a revocation that ends its own header token',
    twist: fromCall(2, ON.revoke, changeStatus(ON.revoke, 200, 401)), complaint: /revoke answered 401, not 200/,
  },
  {
    check: 'revoke-itself', name: 'a token that revokes itself',
    twist: changeStatus(ON.revoke, 400, 200), complaint: /revoke answered 200, not 400/,
  },
  {
    check: 'revoke-header', name: 'revocations without a token',
    twist: changeStatus(ON.revoke, 401, 200, isBare), complaint: /revoke answered 200, not 400 or 401/,
  },
  {
    check: 'revoke-form', name: 'revocations of nothing',
    twist: changeStatus(ON.revoke, 400, 200), complaint: /revoke answered 200, not 400/,
  },
  {
    check: 'revoke-unknown', name: 'an oracle of tokens',
    twist: changeStatus(ON.revoke, 200, 404), complaint: /revoke answered 404, not 200/,
  },
];
