/** `pcs request-review`: asks to accept what blocks a staged image for one destination. */
import type { ApiClient } from '@portcullis/client';
import type { Result } from '@portcullis/command';
import type { Review } from '@portcullis/contract';
import { invalid } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { followJob, followReview } from '../following.ts';
import { destinationOf } from '../images.ts';
import { reviewLines } from '../review-lines.ts';
import { endOf, untilOption } from './until.ts';

const DEFAULT_DAYS = 30;

export const requestReview: PcsCommand = {
  name: 'request-review',
  words: ['<job>'],
  summary: 'ask to accept what blocks a staged image for one destination',
  help: [
    'The job is what `pcs pull` has printed. One request asks for all findings that block the image there; another account',
    'decides. It needs the right to push to the folder, and for a mirror that or the right to bring images in; for another',
    'registry, the right to bypass the gate. Robots ask for nothing: use a token of your own account.',
  ],
  options: {
    to: { type: 'string', help: 'the destination, as team/nginx:1.29; required' },
    reason: { type: 'string', help: 'why it is needed; required' },
    until: untilOption(DEFAULT_DAYS),
    ticket: { type: 'string', help: 'a ticket' },
    only: { type: 'string', help: 'these vulnerabilities only, separated by commas' },
    'push-when-approved': { type: 'boolean', help: 'push the image there once it is approved' },
    wait: {
      type: 'boolean',
      short: 'w',
      help: 'wait for the decision, and for the push; exit with 1 or 3 if not all is approved or pushed',
    },
  },
  async run(call) {
    const [to, reason] = [call.value('to'), call.value('reason')];
    if (to === undefined)
      throw invalid('USAGE', 'name the destination with --to, as team/nginx:1.29');
    if (reason === undefined) throw invalid('USAGE', 'say why with --reason');
    const api = await call.api();
    const { external_registry_host: host, ...destination } = await destinationOf(
      api,
      to,
      await api.call('folders.listAskable'),
    );
    if (host !== undefined)
      throw invalid('USAGE', `${host} is no saved registry: an administrator saves it`);
    const review = await api.call('reviews.request', {
      body: {
        job_id: call.words[0] ?? '',
        ...destination,
        vulnerabilities: call.value('only')?.split(','),
        reason,
        ticket: call.value('ticket'),
        until: endOf(call.value('until') ?? `${DEFAULT_DAYS}d`, new Date()).toISOString(),
        push_when_approved: call.flag('push-when-approved'),
      },
    });
    if (!call.flag('wait')) return { lines: reviewLines(review), facts: review };
    return closed(call, api, review);
  },
};

async function closed(call: PcsCall, api: ApiClient, { number }: Review): Promise<Result> {
  const review = await followReview(api, number, call.progress);
  return {
    lines: reviewLines(review),
    facts: review,
    exitCode: await exitCodeOf(review, call, api),
  };
}

async function exitCodeOf(
  { state, push, job_id: job }: Review,
  call: PcsCall,
  api: ApiClient,
): Promise<number> {
  if (push?.state === 'requested' && job !== null) {
    const last = (await followJob(api, job, call.progress)).pushes.at(-1);
    return last?.status === 'done' ? EXIT.ok : EXIT.failed;
  }
  return state === 'approved' && push?.state !== 'refused' ? EXIT.ok : EXIT.blocked;
}
