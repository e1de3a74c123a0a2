/** The OCI conformance program at `/v2`, by ways of the registry behind it. */
import { storedUploads } from '@portcullis/local-registry';
import { runConformance, startRegistry, temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { serveV2 } from './v2.fixture.ts';
import type { V2Ports } from './v2.ts';

/** Set-up for registries that cannot be pushed to, and tests for registries without mounts. */
const NOT_ASKED = [
  'Pull Setup Get tag name from environment',
  'Push Cross-Repository Blob Mount Cross-mounting of nonexistent blob should yield session id',
  'Push Cross-Repository Blob Mount Cross-mounting without from, and automatic content discovery enabled should return a 201',
  'Content Discovery Setup Populate registry with test tags (no push)',
];

export const FORWARDED = { storedUploads: null, storage: null };
export const receiving = (dir: string) => ({ storedUploads: storedUploads(dir, () => {}) });

const shortened = (name: string) => name.replace('OCI Distribution Conformance Tests ', '');

type WaysOf = (dir: string) => Pick<V2Ports, 'storedUploads' | 'storage'>;

export type Way = readonly [name: string, options: { isOld?: boolean }, waysOf: WaysOf];

/** Registers a test for each way. */
export function itConforms(ways: readonly Way[]): void {
  it.each(ways)(
    'the OCI conformance program finds no fault where %s: pull, push, discovery, management, mounts across folders',
    async (_, options, waysOf) => {
      const registry = await startRegistry(options);
      const v2 = await serveV2(registry.url, waysOf(registry.storageDir));
      await using dir = await temporaryDir();
      try {
        const report = await runConformance({
          url: v2.url,
          username: 'admin',
          password: 'adminadmin',
          namespace: 'team/conformance',
          mountFrom: 'secret/conformance',
          reportDir: dir.path,
        });
        expect(report.failure).toBeNull();
        expect(report.passed).toBe(75);
        expect(report.skipped.map(shortened)).toEqual(NOT_ASKED);
      } finally {
        await v2.stop();
        await registry.stop();
      }
    },
  );
}
