/** What to change, said by several checks of our own profile. */
export const REMARKS = {
  push: 'The interface names neither address nor answer of a push: take ours, or agree on another.',
  feed: 'The interface names neither address nor shape of the feed: take ours, or agree on another.',
  cancellation: 'The interface names no cancellation: take ours, or agree on another.',
  entityForm: 'The interface names no form of start and stop by external entity: take ours, or answer 404.',
  limit: 'The interface names no limit; ours keeps one call from taking all memory.',
  problem: 'Answer errors as application/problem+json (RFC 9457) with code, message and errors.',
  repeats: 'Take a repeat as accepted: a sender that lost the answer cannot know.',
  challenge: 'Add WWW-Authenticate: Bearer error="invalid_token" (RFC 6750).',
  receipt: 'Answer with an Ingest-Id, so that the sender can ask for the outcomes of its items.',
  form: 'Refuse other forms and values with 400 too, so that the sender sees its mistake.',
  stopped: 'Answer 403: the interface asks that it is rejected and names no status.',
  device: 'Answer with the device, with its status in lower case and both names of the last change.',
} as const;
