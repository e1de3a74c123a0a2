/** The generated passwords of the embedded services, stored at the first start. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';

export const ServiceSecrets = z.object({
  postgresPassword: z.string().min(1),
  redisPassword: z.string().min(1),
  registrySecret: z.string().min(1),
  registryPassword: z.string().min(1),
});
export type ServiceSecrets = z.infer<typeof ServiceSecrets>;

/** Reads the stored passwords, or generates them. */
export async function ensureServiceSecrets(file: string): Promise<ServiceSecrets> {
  const before = await readServiceSecrets(file);
  if (before !== null) return before;
  const chosen = {
    postgresPassword: secret(),
    redisPassword: secret(),
    registrySecret: secret(),
    registryPassword: secret(),
  };
  await save(file, chosen);
  return chosen;
}

/** Null where nothing was ever started. */
export async function readServiceSecrets(file: string): Promise<ServiceSecrets | null> {
  try {
    return ServiceSecrets.parse(JSON.parse(await readFile(file, 'utf8')));
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
