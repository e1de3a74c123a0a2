import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { BlockedReason } from './blocked-reasons.ts';
import type { ImageResult } from './image-result.ts';
import { type JUnitCase, junitReport } from './junit.ts';

const SUITE = {
  name: 'Transfer 1',
  at: new Date('2026-11-24T08:00:00.123Z'),
  tests: 1,
  failures: 1,
  errors: 0,
  skipped: 0,
};

const result = (more: Partial<ImageResult>): ImageResult => ({
  name: 'registry.example/team/app:1@sha256:00',
  repository: 'team/app',
  outcome: 'pushed',
  code: null,
  reason: null,
  ...more,
});

function reasonOf(name: string, fixedVersion: string | null): BlockedReason {
  const finding = {
    id: 'CVE-2099-0001',
    severity: 'CRITICAL' as const,
    package: name,
    packageType: 'os' as const,
    installedVersion: '3.0',
    fixedVersion,
    purl: null,
    publishedAt: null,
  };
  return {
    reason: 'judged now',
    policy: { id: null, name: 'strict', version: '1' },
    findings: [{ finding, rule: 0, misses: [] }],
  };
}

async function written(...cases: JUnitCase[]): Promise<string> {
  return text(junitReport(SUITE, Readable.from(cases)));
}

it('the suite has the totals, and the second of its time', async () => {
  const report = await written();
  expect(report).toContain('<testsuites name="portcullis" tests="1" failures="1" errors="0">');
  expect(report).toContain(
    '<testsuite name="Transfer 1" timestamp="2026-11-24T08:00:00" tests="1" failures="1" errors="0" skipped="0">',
  );
});

it('a pushed image is a test case without a body', async () => {
  expect(await written({ result: result({}), reason: null })).toContain(
    '<testcase name="registry.example/team/app:1@sha256:00" classname="team/app"/>',
  );
});

it.each([
  ['3.1', 'fixed in 3.1'],
  [null, 'no fix yet'],
])('a blocked image is a failure with the findings; the fix %s', async (fixed, words) => {
  const blocked = result({ outcome: 'blocked', code: 'VULN_BLOCKED', reason: 'as it was' });
  const report = await written({ result: blocked, reason: reasonOf('openssl', fixed) });
  expect(report).toContain('<failure type="VULN_BLOCKED" message="as it was">Policy: strict\n');
  expect(report).toContain(`CRITICAL CVE-2099-0001 in openssl 3.0, ${words}</failure>`);
});

it('an image under review has the reason of now', async () => {
  const blocked = result({ outcome: 'blocked', code: 'VULN_BLOCKED' });
  const report = await written({ result: blocked, reason: reasonOf('openssl', null) });
  expect(report).toContain('message="judged now"');
});

it.each([
  ['failed', '<error type="MANIFEST_UNKNOWN" message="it is not there"/>'],
  ['cancelled', '<skipped>The job was cancelled.</skipped>'],
  ['open', '<skipped>The job has not ended.</skipped>'],
] as const)('an image that is %s is no failure', async (outcome, element) => {
  const of = result({ outcome, code: 'MANIFEST_UNKNOWN', reason: 'it is not there' });
  const report = await written({ result: of, reason: null });
  expect(report).toContain(element);
  expect(report).not.toContain('<failure');
});

it('what an image contains cannot end an element or make the document invalid', async () => {
  const of = result({ outcome: 'blocked', code: 'X', reason: '"<&>\u0000\u001b\ud800' });
  const report = await written({ result: of, reason: reasonOf('</failure><evil/>', null) });
  expect(report).toContain('message="&quot;&lt;&amp;&gt;\ufffd\ufffd\ufffd"');
  expect(report).toContain('in &lt;/failure&gt;&lt;evil/&gt; 3.0');
});
