const API_VERSIONS = 18;

/**
 * What any broker answers before a login: which requests it knows (ApiVersions, version 0, from no
 * client, with correlation id 1).
 */
export function brokerGreeting(): Buffer {
  const request = Buffer.alloc(14);
  request.writeInt32BE(request.length - 4, 0);
  request.writeInt16BE(API_VERSIONS, 4);
  request.writeInt32BE(1, 8);
  request.writeInt16BE(-1, 12);
  return request;
}
