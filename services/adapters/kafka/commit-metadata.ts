const TOPIC_ID = 'topic-id=';

/**
 * The metadata of a commit: the id of the topic whose records were read. An offset means nothing in
 * another topic of the same name.
 */
export function commitMetadata(topicId: string): string {
  return topicId === '' ? '' : `${TOPIC_ID}${topicId}`;
}

/** The id of the topic that a commit names; empty for one of other tools. */
export function topicIdIn(metadata: string | null | undefined): string {
  return metadata?.startsWith(TOPIC_ID) === true ? metadata.slice(TOPIC_ID.length) : '';
}
