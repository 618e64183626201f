import { join } from 'node:path';
import { writeEnvFile } from '../env-file.ts';
import type { LocalStack } from '../processes/local-stack.ts';

/** What the env file and the banner show. */
type Shown = Pick<
  LocalStack, 'dir' | 'url' | 'adminUrl' | 'stack' | 'identity' | 'secrets' | 'platform'
>;

/** Writes `DIR/env` with every address and a ready credential, for `set -a; . DIR/env`. */
export function writeEnv(around: Shown): string {
  const { identity, secrets, stack: { env: stackEnv } } = around;
  const path = join(around.dir, 'env');
  writeEnvFile(path, {
    RASTRO_URL: around.url,
    RASTRO_CLIENT_ID: identity.clientId,
    RASTRO_CLIENT_SECRET: identity.clientSecret,
    RASTRO_PROVIDER: identity.provider,
    RASTRO_COUNTRY: identity.country,
    RASTRO_SECRET_PEPPER: secrets.secretPepper,
    RASTRO_VAULT_KEY: secrets.vaultKey,
    RASTRO_PERSONAL_KEY: secrets.personalKey,
    RASTRO_PLATFORM_CLIENT_ID: around.platform.clientId,
    RASTRO_PLATFORM_CLIENT_SECRET: around.platform.clientSecret,
    ...stackEnv,
  });
  return path;
}

/** Addresses, and a first location by hand that can be copied and pasted. */
export function banner(around: Shown, envPath: string): string {
  const { stack: { env: stackEnv } } = around;
  return `
Rastro is ready.
  Interface    ${around.url}
  Operators    ${around.adminUrl}/readyz  ${around.adminUrl}/metrics
  Kafka        ${stackEnv.KAFKA_BROKERS}
  Redis        ${stackEnv.REDIS_URL.replace(/\/\/[^@/]*@/, '//')}
  ClickHouse   ${stackEnv.CLICKHOUSE_URL}  (analyst: $ANALYST_USER, $ANALYST_PASSWORD)
  Registry     ${stackEnv.SCHEMA_REGISTRY_URL}
  Credential   client ${around.identity.clientId}, provider ${around.identity.provider}

Send one location and find it, in another terminal:

  set -a; . ${envPath}; set +a
  TOKEN=$(curl -s -u "$RASTRO_CLIENT_ID:$RASTRO_CLIENT_SECRET" -H 'Content-Type: application/json' \\
    -d '{"audience":"rtt","grant_type":"client_credentials"}' "$RASTRO_URL/oauth/token" |
    sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  rtt() { curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
  DEVICE=$(rtt -d '{"external_entity":{"entity_id":"my-van","entity_type":"van"},"transport":{"id":1}}' \\
    "$RASTRO_URL/shipping/rtt/devices?country_id=$RASTRO_COUNTRY" | sed 's/{"id":"\\([0-9a-f-]*\\)".*/\\1/')
  rtt -X POST "$RASTRO_URL/shipping/rtt/devices/$DEVICE/start_tracking?country_id=$RASTRO_COUNTRY"
  NOW=$(date +%s)
  rtt -i -d "{\\"device_id\\":\\"$DEVICE\\",\\"post_timestamp\\":$NOW,\\"locations\\":[{\\"timestamp\\":$NOW,
    \\"country_id\\":\\"$RASTRO_COUNTRY\\",\\"latitude\\":30.267153,\\"longitude\\":-97.743061}]}" \\
    "$RASTRO_URL/shipping/rtt/georeceiver/$RASTRO_PROVIDER/locations?country_id=$RASTRO_COUNTRY"
  curl -s -u "$ANALYST_USER:$ANALYST_PASSWORD" "$CLICKHOUSE_URL" \\
    -d "SELECT * FROM tracking.v_locations WHERE device_id = '$DEVICE' FORMAT Vertical"

Ctrl-C ends everything.

`;
}
