/**
 * The modes of the chart's `data.mode` that are tested, each with the values that an operator sets
 * for it.
 */
import { startS3 } from '@portcullis/testing';

export const MODES = ['shared', 'perWorker', 'ephemeral'] as const;
export type Mode = (typeof MODES)[number];

export type Values = Record<string, unknown>;

/** What a mode needs outside of the cluster. */
export interface Outside {
  parts: AsyncDisposableStack;
  createSecret(name: string, values: Record<string, string>): void;
  /** A URL of this machine's loopback, as pods reach it. */
  reach(url: string): Promise<string>;
}

const BUCKET_SECRET = 'portcullis-bucket';

/**
 * Three workers with a directory each; in `ephemeral` mode the images of the registry are in a
 * bucket.
 */
export async function valuesFor(mode: Mode, outside: Outside): Promise<Values> {
  if (mode === 'shared') return { data: { mode }, worker: SPLIT_WORKERS };
  if (mode === 'perWorker') return { data: { mode, size: '10Gi' }, worker: WHOLE_WORKERS };
  const registry = { replicas: 2, storage: { type: 's3', s3: await bucket(outside) } };
  return { data: { mode, size: '10Gi' }, worker: WHOLE_WORKERS, registry };
}

const SPLIT_WORKERS = {
  groups: {
    all: null,
    ...Object.fromEntries(
      (['pull', 'scan', 'push'] as const).map((stage) => [
        stage,
        { stages: [stage], concurrency: stage === 'scan' ? 1 : 4 },
      ]),
    ),
  },
};

const WHOLE_WORKERS = {
  replicas: 3,
  concurrency: 'pull=2,scan=1,push=2',
  resources: { limits: { memory: '3Gi' } },
};

async function bucket({ parts, createSecret, reach }: Outside): Promise<Values> {
  const store = parts.use(await startS3());
  const { accessKeyId, secretAccessKey } = store.credentials;
  const credentials = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  createSecret(BUCKET_SECRET, { credentials });
  const place = { bucket: store.bucket, region: store.region, endpoint: await reach(store.url) };
  return { ...place, existingSecret: BUCKET_SECRET };
}
