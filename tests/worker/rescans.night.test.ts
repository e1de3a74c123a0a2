/** A staged job is scanned again when the index of Java archives arrives. */
import {
  buildImage,
  debianFiles,
  PATIENCE_MS,
  pushImage,
  serveJavaDb,
  startRegistry,
  WIDGET_JAR,
} from '@portcullis/testing';
import { expect, it } from 'vitest';
import { harness, startRescans } from './rescans.fixture.ts';

startRescans();

it('S9: a staged job without the index of Java archives is scanned again automatically when that arrives', async () => {
  await using source = await startRegistry();
  const tzdata = [{ name: 'tzdata', version: '2024a-0' }];
  const layers = [debianFiles(tzdata), { 'app/by-hash.jar': WIDGET_JAR }];
  await pushImage(source.url, 'lib/java', '1', await buildImage({ layers }));
  const job = await harness.submit({ image: 'lib/java', tag: '1', host: source.host });
  expect(await harness.settled(job.id)).toMatchObject({
    status: 'staged',
    verdict: 'unscannable',
    vulnResult: { gaps: [{ kind: 'java_index_missing', archives: ['app/by-hash.jar'] }] },
  });
  // Beside the database of TRIVY_DB_REPOSITORY.
  await serveJavaDb(harness.registry.url);
  await expect
    .poll(async () => (await harness.store.jobs.find(job.id))?.verdict, {
      timeout: 2 * PATIENCE_MS,
    })
    .toBe('blocked');
  expect(await harness.settled(job.id)).toMatchObject({
    status: 'staged',
    vulnResult: { coverage: 'full' },
  });
});
