/**
 * The api for `npm run bench admission`, in a separate process: images with findings that pass, and
 * the webhook with its own certificate. Prints one line of JSON once it listens, and at each line
 * of its input one with the milliseconds of each review since the line before.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeCertificate, pushImage, randomImage, temporaryDir } from '@portcullis/testing';
import type { AdmissionListener } from '../../apps/api/src/admission/admission-listener.ts';
import { admissionServer } from '../../apps/api/src/admission/admission-server.ts';
import { startApi } from '../../apps/api/src/api.fixture.ts';
import { reportWith } from '../../apps/api/src/registry/gate/report.fixture.ts';

const HOST = 'registry.example.com';
const IMAGES = 20;
const FINDINGS = 300;

const dir = await temporaryDir();
const files = {
  certificate: path.join(dir.path, 'tls.crt'),
  key: path.join(dir.path, 'tls.key'),
  clientCa: null,
};
const { certificate, key } = makeCertificate();
await writeFile(files.certificate, certificate);
await writeFile(files.key, key);
const api = await startApi({
  ADMISSION_PORT: '0',
  ADMISSION_CERT_FILE: files.certificate,
  ADMISSION_KEY_FILE: files.key,
  ADMISSION_HOSTS: HOST,
});
await api.store.folders.insertFolder({ name: 'prod' });

/** Findings that the default policy does not block. */
const report = reportWith(
  Array.from({ length: FINDINGS }, (_, nth) => ({
    id: `CVE-2026-${1_000 + nth}`,
    severity: 'LOW',
  })),
);
const images: string[] = [];
const pinned: string[] = [];
for (let nth = 0; nth < IMAGES; nth += 1) {
  const image = await randomImage({ layers: 3, bytes: 1_000, compression: 'gzip' });
  await pushImage(api.registry.url, `prod/app${nth}`, '1', image);
  await api.store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
  images.push(`${HOST}/prod/app${nth}:1`);
  pinned.push(`${HOST}/prod/app${nth}:1@${image.digest}`);
}
const log = { info() {}, error: (fault: unknown) => void process.stderr.write(`${fault}\n`) };
/** From the head of a review until its answer is handed over. */
const decided: number[] = [];
const timed: AdmissionListener = (request, response) => {
  const started = performance.now();
  response.once('finish', () => decided.push(performance.now() - started));
  api.admission?.(request, response);
};
const webhook = admissionServer(timed, {
  ...{ port: 0, host: '127.0.0.1', files, log },
});
await webhook.start?.();

async function stop(): Promise<void> {
  await webhook.stop?.();
  await api.stop();
  await dir.remove();
  process.exit(0);
}

process.stdout.write(
  `${JSON.stringify({ port: webhook.port(), ca: certificate, images, pinned })}\n`,
);
process.stdin.on('data', () => process.stdout.write(`${JSON.stringify(decided.splice(0))}\n`));
process.stdin.once('end', () => void stop());
