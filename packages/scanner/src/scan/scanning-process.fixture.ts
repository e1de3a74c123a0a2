/** `node scanning-process.fixture.ts DATA_DIR REDIS_URL TRIVY LAYOUT DIGEST`: scans an image. */
import { parseDigest } from '@portcullis/oci';
import { createLogger } from '@portcullis/runtime';
import { createScanner } from '../index.ts';

const [dataDir = '', redisUrl = '', trivy = '', layoutDir = '', digest = ''] =
  process.argv.slice(2);
const log = createLogger({ name: 'scanning-process', level: 'silent' });
const scanner = createScanner({ dataDir, redisUrl, log, trivyPath: () => trivy });
await scanner.scan(layoutDir, {
  targets: [{ digest: parseDigest(digest), platform: null }],
  timeoutSeconds: 60,
});
