/** `--include-referrers`: whether signatures, SBOMs and attestations are copied with an image. */
import type { Option } from '@portcullis/command';
import type { ReferrerChoice } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import type { PcsCall } from './command.ts';

export const REFERRERS: Readonly<Record<string, Option>> = {
  'include-referrers': {
    type: 'string',
    help: 'signatures, SBOMs and attestations: true (default), required (fail if one cannot be copied), or false',
  },
};

const CHOICES: ReadonlyMap<string, ReferrerChoice> = new Map<string, ReferrerChoice>([
  ['true', true],
  ['required', 'required'],
  ['false', false],
]);

export function referrersOf(call: Pick<PcsCall, 'value'>): ReferrerChoice {
  const choice = CHOICES.get(call.value('include-referrers') ?? 'true');
  if (choice === undefined)
    throw invalid('USAGE', 'with --include-referrers, give true, required or false');
  return choice;
}
