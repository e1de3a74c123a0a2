import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RawReport } from '../reports/raw-report.ts';
import type { FileWatch } from '../unread/file-watch.ts';
import { listPackages, readPackageList } from './package-list.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'third-party',
    '"Class": "third-party",',
    '      ],',
    '        }',
    'os-pkgs',
    'jar',
  ),
);
const installed = fc.record(
  {
    ID: text,
    Name: text,
    Identifier: fc.record({ PURL: text, Name: text, FilePath: text }),
    Repository: fc.record({ Class: fc.constantFrom('third-party', 'official', '') }),
    Layer: fc.record({ Digest: text, Class: text, DiffID: text }),
    Maintainer: text,
    FilePath: text,
    Version: fc.constantFrom('1', ''),
    Relationship: fc.constantFrom('root', 'direct', 'indirect'),
    InstalledFiles: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const vulnerability = fc.record({
  VulnerabilityID: text,
  PkgName: text,
  DataSource: fc.record({ Name: text, Class: text }),
});
const result = fc.record(
  {
    Target: text,
    Class: fc.constantFrom('os-pkgs', 'lang-pkgs', 'secret'),
    Type: fc.constantFrom('debian', 'alpine', 'jar', 'node-pkg', 'conda-pkg'),
    Packages: fc.array(installed, { maxLength: 5 }),
    Vulnerabilities: fc.array(vulnerability, { maxLength: 3 }),
  },
  { requiredKeys: ['Target'] },
);
const report = fc.record({
  SchemaVersion: fc.constant(2 as const),
  ArtifactName: text,
  Metadata: fc.record({ OS: fc.record({ Family: text, Name: text }) }),
  Results: fc.array(result, { maxLength: 4 }),
});

async function* lines(json: string): AsyncGenerator<string> {
  yield* json.split('\n');
}

/** Records what it is notified of. */
function recorder() {
  const calls: unknown[] = [];
  const watch: FileWatch = {
    isWatched: (path) => path.length % 2 === 0,
    reported: (...call) => calls.push(call),
    owned: (...call) => calls.push(call),
    unreported: () => [],
  };
  return { calls, watch };
}

it('S6: the packages read line by line are those of the parsed report', async () => {
  await fc.assert(
    fc.asyncProperty(report, async (raw) => {
      const [whole, single] = [recorder(), recorder()];
      const parsed = listPackages(raw as RawReport, whole.watch);
      const json = JSON.stringify(raw, null, 2);
      expect(await readPackageList(lines(json), single.watch)).toEqual(parsed);
      expect(single.calls).toEqual(whole.calls);
    }),
  );
});
