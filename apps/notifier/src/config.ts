/** The settings of the notifier, read once from its environment. */
import { hostname } from 'node:os';
import { NETWORK_SECRET_VARIABLES, type NetworkSettings, networkFromEnv } from '@portcullis/domain';
import { isAddressRule } from '@portcullis/oci/remote';
import { type Env, parseEnv, readAll, readSecretFiles, secret } from '@portcullis/runtime';
import { PROCESS_ENV, registryUrl, webUrl, wordsThat } from '@portcullis/runtime/env-kinds';
import { z } from 'zod';

export const NotifierEnv = z.object({
  ...PROCESS_ENV,
  /** Refused as a collector's address. */
  REGISTRY_URL: secret(registryUrl.optional()),
  /** The source of the events that webhooks get. */
  PUBLIC_URL: webUrl.transform((text) => new URL(text).origin).optional(),
  EGRESS_ALLOW: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  EGRESS_DENY: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  HEARTBEAT_FILE: z.string().optional(),
  /** How long events are gathered for one message. */
  EMAIL_GATHER_SECONDS: z.coerce.number().min(0).max(3_600).default(3),
  /** The same for mails to the owners of images, whose standings may change by the thousand. */
  EMAIL_OWNERS_GATHER_SECONDS: z.coerce.number().min(0).max(86_400).default(60),
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(365),
});

export type NotifierConfig = z.output<typeof NotifierEnv> & {
  network: NetworkSettings;
  instance: string;
};

/** @throws invalid with all faults */
export function readConfig(env: Env): NotifierConfig {
  const { parsed, network } = readAll({
    parsed: () => parseEnv(NotifierEnv, env),
    network: () => networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES)),
  });
  return { ...parsed, network, instance: `${hostname()}-${process.pid}` };
}
