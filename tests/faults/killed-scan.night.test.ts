/** A worker that is killed during a scan, in the product as `npm start` runs it. */
import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { bodyOf, logIn, processesOf, settled, startProduct, until } from '../support/product.ts';

const PASSWORD = 'a long enough password';

it('kill -9 during a scan: the restarted worker finishes the job, once, without another pull', async () => {
  const upstream = await startRegistry();
  onTestFinished(() => upstream.stop());
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
  const scans = path.join(dir.path, 'scans');
  const product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
    TRIVY_PATH: await slowTrivy(dir.path, scans),
  });
  onTestFinished(() => product.stop());
  const admin = await logIn(product, 'admin', PASSWORD);
  const body = { image: 'acme/old', tag: '1.0', source_registry_host: upstream.host };
  const { job_id: id } = await bodyOf(admin('POST', '/api/staging/pull', body));

  const requestLines = async () => (await readFile(scans, 'utf8').catch(() => '')).split('\n');
  const isScan = (line: string) => line.includes('image@') && !line.includes('canary.json');
  await until(async () => (await requestLines()).some(isScan));
  // Trivy starts during the pull, which a killed worker begins again.
  const statusNow = async () => (await bodyOf(admin('GET', `/api/staging/jobs/${id}`))).status;
  await until(async () => (await statusNow()) === 'scanning');
  const [worker] = (await processesOf(product.dataDir)).filter((line) =>
    line.includes('apps/worker/src/main.ts'),
  );
  // Written first, so that the next scan sees it, however soon it starts.
  await appendFile(scans, 'killed\n');
  process.kill(Number.parseInt(worker ?? '', 10), 'SIGKILL');

  const job = await settled(admin, id);
  expect(job).toMatchObject({ status: 'staged', verdict: 'blocked', error: null });
  const states = job.timeline.map(({ status }: { status: string }) => status);
  expect(states.filter((status: string) => status === 'pulling')).toHaveLength(1);
  expect(states.filter((status: string) => status === 'scanning')).toHaveLength(2);
  expect(states.filter((status: string) => status === 'staged')).toHaveLength(1);
});

/** A wrapper around the real Trivy that delays scans of jobs and records its arguments. */
async function slowTrivy(dir: string, log: string): Promise<string> {
  const file = path.join(dir, 'trivy');
  const script = [
    '#!/bin/sh',
    // Its delay is that of a program that does not stay.
    '[ "$1" = resident ] && exit 1',
    `echo "$*" >> '${log}'`,
    `case "$*" in *canary.json*) ;; *image@*) grep -q killed '${log}' || sleep 20;; esac`,
    `exec '${await testTrivy()}' "$@"`,
  ];
  await writeFile(file, `${script.join('\n')}\n`);
  await chmod(file, 0o755);
  return file;
}
