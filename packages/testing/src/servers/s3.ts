/**
 * An S3-compatible store with one empty bucket: Versity S3 Gateway over a directory, built from
 * tools/go/s3.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startService, untilReady } from '@portcullis/embedded';
import type { RegistryStorage } from '@portcullis/local-registry';
import { testEnv } from '../config.ts';
import { goProgram } from '../tools/go-program.ts';
import { startInSlot, type TestServer } from './server.ts';

export interface TestS3 extends TestServer {
  bucket: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** The bucket on disk: each object is a file. */
  bucketDir: string;
  /** One line for each request. */
  requests: string[];
  /** Configuration for a registry on the bucket. */
  storage: Extract<RegistryStorage, { type: 's3' }>;
}

const CREDENTIALS = { accessKeyId: 'portcullis-test', secretAccessKey: 'only-for-the-tests' };
const BUCKET = 'images';
const REGION = 'us-east-1';

export async function startS3(): Promise<TestS3> {
  const command = await goProgram('s3');
  const requests: string[] = [];
  const server = await startInSlot(async ({ dir, port }) => {
    const [buckets, facts] = [join(dir.path, 'buckets'), join(dir.path, 'facts')];
    await mkdir(join(buckets, BUCKET), { recursive: true });
    await mkdir(facts);
    const service = await startService({
      name: 's3',
      command,
      args: ['--port', `127.0.0.1:${port}`, '--keep-alive', 'posix', '--sidecar', facts, buckets],
      env: {
        PATH: testEnv.PATH,
        ROOT_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
        ROOT_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
        VGW_REGION: REGION,
      },
      cwd: dir.path,
      onLine: (line) => void requests.push(line),
    });
    const url = `http://127.0.0.1:${port}`;
    await untilReady(service, () => answers(url)).catch(async (error) => {
      await service.stop();
      throw error;
    });
    return { service, url };
  });
  return {
    ...server,
    bucket: BUCKET,
    region: REGION,
    credentials: CREDENTIALS,
    bucketDir: join(server.dir, 'buckets', BUCKET),
    requests,
    storage: {
      type: 's3',
      bucket: BUCKET,
      region: REGION,
      endpoint: server.url,
      pathStyle: true,
      credentials: CREDENTIALS,
    },
  };
}

/** Any answer to an unsigned request counts. */
async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return true;
    },
    () => false,
  );
}
