/**
 * Order of the integration tests: the longest files first, so that all workers end at about the
 * same time. Vitest knows no durations in a fresh checkout, and begins with the largest files
 * there.
 */
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * The longest files, the longest first. Tests that wait for leases are between those that drive a
 * browser, which leaves less of the processor idle.
 */
export const LONGEST: readonly string[] = [
  'tests/web/measures/web-every-page.int.test.ts',
  'tests/pcs/pcs.int.test.ts',
  'packages/scanner/src/unread/unread.attack.int.test.ts',
  'tests/web/web-gate-journey.int.test.ts',
  'tests/worker/statements.int.test.ts',
  'apps/cli/src/backup.int.test.ts',
  'tests/api/mirror/mirror.int.test.ts',
  'tests/web/web.int.test.ts',
  'tests/worker/pipeline.int.test.ts',
  'tests/web/web-lists.int.test.ts',
  'apps/standalone/src/standalone.int.test.ts',
  'tests/web/web-images.int.test.ts',
  'tests/worker/rematch.int.test.ts',
  'tests/web/measures/web-every-page.night.test.ts',
  'tests/web/settings/web-settings.night.test.ts',
  'tests/faults/kill-storm.night.test.ts',
  'apps/cli/src/restore-interrupted.night.test.ts',
  'tests/worker/storages.night.test.ts',
  'tests/worker/crash.night.test.ts',
  'tests/web/measures/web-layout.night.test.ts',
  'tests/worker/rematches.night.test.ts',
  'apps/api/src/registry/gate/clients.night.test.ts',
  'tests/worker/sources.attack.night.test.ts',
  'tests/worker/redis-loss.attack.night.test.ts',
  'tests/worker/garbage-writers.night.test.ts',
  'tests/worker/garbage-killed.night.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(relative(ROOT, moduleId));
  return place === -1 ? LONGEST.length : place;
}
