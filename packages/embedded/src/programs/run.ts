import { execFile } from 'node:child_process';
import { unavailable } from '@portcullis/errors';

export interface ToolOptions {
  env?: NodeJS.ProcessEnv | undefined;
  cwd?: string | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  signal?: AbortSignal | undefined;
  input?: string | undefined;
}

/**
 * Runs a tool to its end and returns its output. @throws unavailable `TOOL_FAILED` with the end of
 * its error output
 */
export function run(command: string, args: string[], options: ToolOptions = {}): Promise<string> {
  const { input, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { ...rest, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(toolFailed(command, stderr.trim().slice(-2000) || error.message, error));
      },
    );
    child.stdin?.on('error', () => {}); // the tool may exit without reading; its exit code matters
    child.stdin?.end(input ?? '');
  });
}

function toolFailed(command: string, text: string, cause: unknown) {
  return unavailable('TOOL_FAILED', `${command} failed: ${text}`, { cause });
}
