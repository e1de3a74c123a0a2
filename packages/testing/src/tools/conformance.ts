/** The OCI distribution conformance tests, built from tools/go/conformance. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import { go } from './go.ts';
import { type Build, buildOnce } from './go-program.ts';

const PACKAGE = 'github.com/opencontainers/distribution-spec/conformance';

export interface ConformanceRun {
  /** URL of the registry, without `/v2`. */
  url: string;
  username: string;
  password: string;
  namespace: string;
  /** Another repository, from which blobs are mounted. */
  mountFrom: string;
  /** Where the reports are written. */
  reportDir: string;
}

export interface ConformanceReport {
  passed: number;
  /** Names of the skipped tests. */
  skipped: string[];
  /** The output, when a test failed. */
  failure: string | null;
}

/** Runs pull, push, content discovery and content management. */
export async function runConformance(options: ConformanceRun): Promise<ConformanceReport> {
  const binary = await conformanceBinary();
  const failure = await run(binary, ['-test.count=1'], { env: environmentOf(options) }).then(
    () => null,
    (error: Error) => error.message,
  );
  const report = await readFile(join(options.reportDir, 'junit.xml'), 'utf8');
  const passed = namesOf(report, 'passed').length;
  const skipped = namesOf(report, 'skipped');
  return {
    passed,
    skipped,
    failure: failure === null ? null : `${failure}\n${failuresIn(report)}`,
  };
}

function environmentOf(options: ConformanceRun): Record<string, string> {
  return {
    OCI_ROOT_URL: options.url,
    OCI_NAMESPACE: options.namespace,
    OCI_CROSSMOUNT_NAMESPACE: options.mountFrom,
    OCI_AUTOMATIC_CROSSMOUNT: '0',
    OCI_USERNAME: options.username,
    OCI_PASSWORD: options.password,
    OCI_TEST_PULL: '1',
    OCI_TEST_PUSH: '1',
    OCI_TEST_CONTENT_DISCOVERY: '1',
    OCI_TEST_CONTENT_MANAGEMENT: '1',
    OCI_REPORT_DIR: options.reportDir,
  };
}

/** Names of the tests, without the set-up, which is a case of the report, too. */
function namesOf(report: string, status: 'passed' | 'skipped'): string[] {
  const found = report.matchAll(/<testcase name="\[It\] ([^"]*)"[^>]* status="([^"]*)"/g);
  return [...found].filter(([, , said]) => said === status).map(([, name = '']) => name);
}

function failuresIn(report: string): string {
  const found = report.matchAll(
    /<testcase name="([^"]*)"[^>]*status="failed"[^>]*>\s*<failure message="([^"]*)"/g,
  );
  return [...found].map(([, name, message]) => `${name}: ${message?.slice(0, 500)}`).join('\n');
}

/** Statically linked, so that it also runs in an empty image. */
export async function conformanceBinary(signal?: AbortSignal): Promise<string> {
  const build = ({ draft, at }: Build) =>
    go(['test', '-c', '-trimpath', '-o', join(draft, 'conformance'), PACKAGE], at);
  const dir = await buildOnce({ name: 'conformance', pins: ['go.sum'], build, signal });
  return join(dir, 'conformance');
}
