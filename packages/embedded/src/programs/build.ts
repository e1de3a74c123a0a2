/** Builds a program from its Go module, whose go.sum pins every byte. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { acquireGo, type GoOptions } from './go.ts';
import { run } from './run.ts';

export interface GoModule {
  /** The directory with go.mod and go.sum. */
  dir: string;
  command: string;
  /** The variable that contains the version, and its value, for the linker. */
  stamp: string;
  /** What else the compiler needs in its environment. */
  env?: Readonly<Record<string, string>>;
  /** Whether a Go builds it, by the output of `go version`; by default any recent one. */
  accepts?: GoOptions['accepts'];
}

export interface BuildOptions extends GoOptions {
  /** The architecture, as Go names it; by default this machine's. */
  goarch?: string | undefined;
}

/** No workspace above may change the pins. */
const FIXED = { CGO_ENABLED: '0', GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local', GOWORK: 'off' };

/**
 * With a Go of our own, the sources and intermediate results, several gigabytes, are beside
 * `target`, and removed afterwards.
 */
export async function buildProgram(
  module: GoModule,
  target: string,
  { goarch, ...options }: BuildOptions,
): Promise<void> {
  const places = await mkdtemp(join(dirname(target), '.go-'));
  try {
    const go = await acquireGo({ ...options, accepts: module.accepts, places });
    const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false'];
    const linked = ['-ldflags', `-s -w -X ${module.stamp}`, '-o', target, module.command];
    await run('nice', [go.path, 'build', ...flags, ...linked], {
      cwd: module.dir,
      env: {
        ...options.env,
        ...go.env,
        ...FIXED,
        ...module.env,
        ...(goarch !== undefined && { GOARCH: goarch }),
      },
      signal: options.signal,
    });
    await chmod(target, 0o755);
  } finally {
    await rm(places, { recursive: true, force: true });
  }
}
