/** `pcs push`: pushes a staged image to its destination. */
import type { ApiClient } from '@portcullis/client';
import type { Result } from '@portcullis/command';
import type { Job, PushView } from '@portcullis/contract';
import { GATE_CODES } from '@portcullis/domain';
import { invalid, isAppError } from '@portcullis/errors';
import { BYPASS, bypassOf } from '../bypass.ts';
import type { PcsCall, PcsCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { followJob } from '../following.ts';
import { destinationOf } from '../images.ts';
import { pushLines } from '../job-lines.ts';

export const push: PcsCommand = {
  name: 'push',
  words: ['<job>'],
  summary: 'push a staged image to its destination',
  help: [
    'The job is what `pcs pull` has printed. The gate decides about the push by the policy of its destination; the exit',
    'code is 3 where it refuses the image.',
  ],
  options: {
    to: {
      type: 'string',
      help: 'team/nginx:1.29, or another registry: registry.example/team/nginx:1.29',
    },
    wait: { type: 'boolean', short: 'w', help: 'wait until it is pushed; exit with 1 or 3 if not' },
    quiet: { type: 'boolean', short: 'q', help: 'print nothing; see --wait for the exit code' },
    ...BYPASS,
  },
  async run(call) {
    const to = call.value('to');
    if (to === undefined)
      throw invalid('USAGE', 'name the destination with --to, as team/nginx:1.29');
    const api = await call.api();
    const destination = await destinationOf(api, to);
    try {
      const requested = await api.call('staging.push', {
        body: { job_id: call.words[0] ?? '', ...destination, ...bypassOf(call) },
      });
      return await waitForPush(call, api, requested);
    } catch (error) {
      if (!isAppError(error) || !GATE_CODES.some((code) => code === error.code)) throw error;
      const { code, message } = error;
      return {
        lines: call.flag('quiet') ? [] : [`${to}: blocked`, `  ${message} (${code})`],
        facts: { code, message },
        exitCode: EXIT.blocked,
      };
    }
  },
};

async function waitForPush(call: PcsCall, api: ApiClient, requested: Job): Promise<Result> {
  const id = requested.pushes.at(-1)?.id;
  const job = call.flag('wait') ? await followJob(api, requested.job_id, call.progress) : requested;
  const own = job.pushes.find((each) => each.id === id);
  return {
    lines: own === undefined || call.flag('quiet') ? [] : pushLines(own),
    facts: job,
    ...(call.flag('wait') && { exitCode: exitCodeOf(own) }),
  };
}

function exitCodeOf(own: PushView | undefined): number {
  if (own?.status === 'done') return EXIT.ok;
  return GATE_CODES.some((code) => code === own?.error?.code) ? EXIT.blocked : EXIT.failed;
}
