/**
 * A report as JUnit XML, which most CI servers show: one test case for each image. What the gate
 * blocked is a failure, what failed otherwise an error, what has not ended is skipped.
 */
import type { MatchedFinding } from '@portcullis/domain';
import type { BlockedReason } from './blocked-reasons.ts';
import type { ImageResult } from './image-result.ts';

export const JUNIT_TYPE = 'application/xml';

export interface JUnitCase {
  result: ImageResult;
  reason: BlockedReason | null;
}

export interface JUnitSuite {
  name: string;
  at: Date;
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
}

export async function* junitReport(
  { name, at, ...totals }: JUnitSuite,
  cases: AsyncIterable<JUnitCase>,
): AsyncGenerator<string> {
  const { skipped, ...rest } = totals;
  const sums = attributes(rest);
  const timestamp = at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${attributes({ name: 'portcullis' })}${sums}>\n`;
  yield `  <testsuite${attributes({ name, timestamp })}${sums}${attributes({ skipped })}>\n`;
  for await (const each of cases) yield testCase(each);
  yield '  </testsuite>\n</testsuites>\n';
}

function testCase({ result, reason }: JUnitCase): string {
  const named = `    <testcase${attributes({ name: result.name, classname: result.repository })}`;
  const body = bodyOf(result, reason);
  return body === '' ? `${named}/>\n` : `${named}>\n      ${body}\n    </testcase>\n`;
}

function bodyOf(result: ImageResult, reason: BlockedReason | null): string {
  const type = result.code ?? '';
  const message = result.reason ?? reason?.reason ?? type;
  switch (result.outcome) {
    case 'pushed':
    case 'staged':
      return '';
    case 'blocked':
      return `<failure${attributes({ type, message })}>${escapeText(linesOf(reason))}</failure>`;
    case 'failed':
      return `<error${attributes({ type, message })}/>`;
    case 'cancelled':
      return '<skipped>The job was cancelled.</skipped>';
    case 'open':
      return '<skipped>The job has not ended.</skipped>';
  }
}

function linesOf(reason: BlockedReason | null): string {
  if (reason === null) return '';
  return [`Policy: ${reason.policy.name}`, ...reason.findings.map(lineOf)].join('\n');
}

function lineOf({ finding }: MatchedFinding): string {
  const { id, severity, package: name, installedVersion, fixedVersion } = finding;
  const fix = fixedVersion === null ? 'no fix yet' : `fixed in ${fixedVersion}`;
  return `${severity} ${id} in ${name} ${installedVersion}, ${fix}`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeText(String(value))}"`)
    .join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Names and versions come from images: XML 1.0 allows no other control characters than these. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
