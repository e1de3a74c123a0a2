/** `pcs why`: explains the decision of the gate about an image. */
import { decisionLines } from '@portcullis/command';
import { GATE_DOORS } from '@portcullis/domain';
import type { PcsCommand } from '../command.ts';
import { localImage } from '../images.ts';

export const why: PcsCommand = {
  name: 'why',
  words: ['<image>'],
  summary: 'every step of what the gate decides about an image',
  help: [
    'The image is repository:tag or repository@digest of the built-in registry. It prints the report, the policy with the',
    'rules that match, the waivers that do not cover a finding and why, and the grace period.',
  ],
  options: {
    door: { type: 'string', values: GATE_DOORS, help: `${GATE_DOORS.join(', ')}; by default pull` },
    account: {
      type: 'string',
      help: 'the account that uses the door; others only for administrators',
    },
    from: { type: 'string', help: 'the repository that has the image, if another' },
  },
  async run(call) {
    const api = await call.api();
    const door = GATE_DOORS.find((each) => each === call.value('door'));
    const account = call.value('account');
    const from = call.value('from');
    const decision = await api.call('gate.explainGate', {
      query: { ...localImage(call.words[0] ?? '', api.site), door, account, from },
    });
    return { lines: decisionLines(decision), facts: decision };
  },
};
