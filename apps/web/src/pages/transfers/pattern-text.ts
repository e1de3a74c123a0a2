/** How a pattern of tags is written in a list. */
import type { SelectionView } from '@portcullis/contract';

export function patternText(match: SelectionView['match']): string {
  if ('glob' in match) return match.glob;
  return 'regex' in match ? match.regex : match.semver;
}
