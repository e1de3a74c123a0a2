/** `pcs pull`: pulls an image into staging and scans it. */
import type { PcsCommand } from '../command.ts';
import { exitCodeOfJob } from '../exit-codes.ts';
import { followJob } from '../following.ts';
import { ID_FILE, writeIdFile } from '../id-file.ts';
import { sourceOf } from '../images.ts';
import { jobLines } from '../job-lines.ts';
import { PLATFORM, platformsOf } from '../platforms.ts';
import { REFERRERS, referrersOf } from '../referrers.ts';

export const pull: PcsCommand = {
  name: 'pull',
  words: ['<image>'],
  summary: 'pull an image into staging and scan it',
  help: [
    'The image is written as for docker: nginx:1.29 is on Docker Hub, registry.example/team/app:1 on a registry, whose',
    'saved login is used. With --wait it ends when the scan has, and the exit code is that of the verdict: 0 clean or',
    'findings that do not block, 3 blocked, 4 without a complete scan, 1 failed. With --to the policy of that folder',
    'decides, and the folders that answer otherwise are named.',
  ],
  options: {
    from: {
      type: 'string',
      help: 'a saved registry by its name, host or id; the image is then without host',
    },
    ...PLATFORM,
    ...REFERRERS,
    to: { type: 'string', help: 'the folder that it is for: the policy there judges it' },
    wait: { type: 'boolean', short: 'w', help: 'wait for the verdict' },
    quiet: { type: 'boolean', short: 'q', help: 'print only the id of the job' },
    ...ID_FILE,
  },
  async run(call) {
    const include_referrers = referrersOf(call);
    const api = await call.api();
    const source = await sourceOf(api, call.words[0] ?? '', call.value('from'));
    const platforms = platformsOf(call);
    const folder = call.value('to');
    const started = await api.call('staging.pull', {
      body: {
        ...source,
        ...(platforms && { platforms }),
        ...(folder !== undefined && { destination: { folder } }),
        include_referrers,
      },
    });
    await writeIdFile(call, started.job_id);
    const job = call.flag('wait') ? await followJob(api, started.job_id, call.progress) : started;
    return {
      lines: call.flag('quiet')
        ? [job.job_id]
        : call.flag('wait')
          ? jobLines(job)
          : startedLines(job.job_id),
      facts: job,
      ...(call.flag('wait') && { exitCode: exitCodeOfJob(job) }),
    };
  },
};

function startedLines(id: string): string[] {
  return [`The pull was requested: job ${id}`];
}
