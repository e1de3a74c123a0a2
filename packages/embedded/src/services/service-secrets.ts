/** The generated passwords of the embedded services, stored at the first start. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';

const Port = z.int().min(1).max(65_535);

export const ServiceSecrets = z.object({
  /**
   * Ports of an earlier release, whose services listened on loopback; kept for
   * `TRIVY_DB_REPOSITORY`, which may name the registry's, and for a downgrade to that release.
   */
  ports: z.object({ postgres: Port, redis: Port, registry: Port }).optional(),
  postgresPassword: z.string().min(1),
  redisPassword: z.string().min(1),
  registrySecret: z.string().min(1),
  registryPassword: z.string().min(1),
});
export type ServiceSecrets = z.infer<typeof ServiceSecrets>;

/** The registry of the first releases had no password. */
const Before = ServiceSecrets.partial({ registryPassword: true });
export type StoredSecrets = z.infer<typeof Before>;

/** Reads the stored passwords and generates the missing ones. */
export async function ensureServiceSecrets(file: string): Promise<ServiceSecrets> {
  const before = await readServiceSecrets(file);
  const chosen = {
    ...(before?.ports && { ports: before.ports }),
    postgresPassword: before?.postgresPassword ?? secret(),
    redisPassword: before?.redisPassword ?? secret(),
    registrySecret: before?.registrySecret ?? secret(),
    registryPassword: before?.registryPassword ?? secret(),
  };
  await save(file, chosen);
  return chosen;
}

/** Null where nothing was ever started. */
export async function readServiceSecrets(file: string): Promise<StoredSecrets | null> {
  try {
    return Before.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function save(file: string, secrets: ServiceSecrets): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
