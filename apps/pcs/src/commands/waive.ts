/** `pcs waive`: requests a waiver. */
import { countText } from '@portcullis/command';
import { VEX_JUSTIFICATIONS, WAIVER_STATUSES } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import type { PcsCommand } from '../command.ts';
import { endOf, untilOption } from './until.ts';

const DEFAULT_DAYS = 90;

export const waive: PcsCommand = {
  name: 'waive',
  words: ['<vulnerability>'],
  summary: 'request a waiver: an accepted vulnerability, until a date',
  help: [
    'Another account has to approve it. It needs the right to push to the folder, and for a mirror that or the right to bring',
    'images in; without --in it is for all folders, which needs the right to bypass the gate. Robots may not request waivers:',
    'use a token of your own account.',
  ],
  options: {
    in: { type: 'string', help: 'the folder' },
    reason: { type: 'string', help: 'why it is accepted; required' },
    until: untilOption(DEFAULT_DAYS),
    package: { type: 'string', help: 'one package only' },
    'package-version': { type: 'string', help: 'one version of it only' },
    repository: { type: 'string', help: 'a pattern of repositories, as team/*' },
    digest: { type: 'string', help: 'one image only' },
    ticket: { type: 'string', help: 'a ticket' },
    status: { type: 'string', values: WAIVER_STATUSES, help: 'by default accepted' },
    justification: { type: 'string', values: VEX_JUSTIFICATIONS, help: 'for not_affected' },
  },
  async run(call) {
    const reason = call.value('reason');
    if (reason === undefined) throw invalid('USAGE', 'say why with --reason');
    const api = await call.api();
    const waiver = await api.call('waivers.request', {
      body: {
        vulnerability: call.words[0] ?? '',
        folder: call.value('in'),
        package: call.value('package'),
        package_version: call.value('package-version'),
        repository: call.value('repository'),
        digest: call.value('digest'),
        ticket: call.value('ticket'),
        status: WAIVER_STATUSES.find((each) => each === call.value('status')) ?? 'accepted',
        justification: VEX_JUSTIFICATIONS.find((each) => each === call.value('justification')),
        reason,
        expires_at: endOf(call.value('until') ?? `${DEFAULT_DAYS}d`, new Date()).toISOString(),
      },
    });
    const { id, vulnerability, state, approvals_needed: needed, expires_at: end } = waiver;
    return {
      lines: [
        `${vulnerability}: ${state} until ${end.slice(0, 10)}, waiver ${id}`,
        ...(state === 'requested'
          ? [`  it is in force after ${countText(needed, 'approval')}`]
          : []),
      ],
      facts: waiver,
    };
  },
};
