import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { authorizationErrors, explainFields } from '../error-form.ts';

/** How both operations answer errors, beside what the catalog says of them. */
export const OWN_ERRORS = {
  errors: authorizationErrors, explain: explainFields,
} as const satisfies Partial<Operation>;

/** The refusal of a call whose path names another shipment than its body (decisions.md). */
export function pathFault(
  call: Call<'bearer', unknown, 'shipment_id'>, id: string | number,
): Answer | undefined {
  if (call.params.shipment_id === String(id)) return undefined;
  return {
    kind: 'refusal',
    code: 'invalid_parameter',
    detail: 'The shipment of the path is not the id of the body.',
    errorCode: 'invalid_shipment_information.id',
  };
}
