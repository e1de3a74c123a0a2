/** `include_referrers` as a word: a select and a kept draft hold values of one type. */
import type { ReferrerChoice } from '@portcullis/domain';

export type ReferrerWord = 'optional' | 'required' | 'none';

export function referrerChoice(word: ReferrerWord): ReferrerChoice {
  return word === 'required' ? 'required' : word !== 'none';
}

/** Absent means `true`, as in a request. */
export function referrerWord(choice: unknown): ReferrerWord {
  if (choice === 'required') return 'required';
  return choice === false ? 'none' : 'optional';
}
