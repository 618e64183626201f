import { readFileSync } from 'node:fs';
import type { KafkaConfig as KafkajsConfig } from 'kafkajs';
import { SASL_MECHANISMS, type KafkaSecurity } from './config.ts';

/** The variables that say how a process logs in at the brokers. */
export interface SecurityVariables {
  readonly KAFKA_SASL_MECHANISM?: string | undefined;
  readonly KAFKA_SASL_USERNAME?: string | undefined;
  readonly KAFKA_SASL_PASSWORD?: string | undefined;
  readonly KAFKA_TLS?: boolean | undefined;
  readonly KAFKA_TLS_CA_FILE?: string | undefined;
}

/** Reads how to log in; throws where half of a login is set, instead of going without one. */
export function securityOf(variables: SecurityVariables): KafkaSecurity {
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = variables;
  const mechanism = SASL_MECHANISMS.find((name) => name === variables.KAFKA_SASL_MECHANISM);
  const given = [variables.KAFKA_SASL_MECHANISM, username, password].filter(Boolean).length;
  if (given !== 0 && (given !== 3 || mechanism === undefined)) {
    throw new Error(
      'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD belong together; '
      + `mechanisms are ${SASL_MECHANISMS.join(', ')}.`,
    );
  }
  const ca = variables.KAFKA_TLS_CA_FILE;
  return {
    ...(mechanism && username && password ? { sasl: { mechanism, username, password } } : {}),
    ...(variables.KAFKA_TLS === true ? { tls: ca ? { ca: readFileSync(ca, 'utf8') } : {} } : {}),
  };
}

/** What @platformatic/kafka wants to know of it. */
export function platformaticSecurity({ sasl, tls }: KafkaSecurity): {
  sasl?: NonNullable<KafkaSecurity['sasl']>; tls?: { ca?: string };
} {
  return { ...(sasl === undefined ? {} : { sasl }), ...(tls === undefined ? {} : { tls }) };
}

/** What kafkajs wants to know of it. */
export function kafkajsSecurity({ sasl, tls }: KafkaSecurity): Pick<KafkajsConfig, 'sasl' | 'ssl'> {
  return {
    ...(tls === undefined ? {} : { ssl: tls.ca === undefined ? true : { ca: [tls.ca] } }),
    ...(sasl === undefined ? {} : { sasl: kafkajsLogin(sasl) }),
  };
}

function kafkajsLogin(
  { mechanism, username, password }: NonNullable<KafkaSecurity['sasl']>,
): NonNullable<KafkajsConfig['sasl']> {
  switch (mechanism) {
    case 'PLAIN': return { mechanism: 'plain', username, password };
    case 'SCRAM-SHA-256': return { mechanism: 'scram-sha-256', username, password };
    case 'SCRAM-SHA-512': return { mechanism: 'scram-sha-512', username, password };
  }
}
