import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const retention = {
  title: 'Retention',
  none: 'Every tag is kept.',
  keeps: (what: string) => `Keeps ${what}. All other tags are removed once a day.`,
  newestTags: (n: number) =>
    n === 1
      ? 'the newest tag of each repository'
      : `the ${count(n, 'newest tag', 'newest tags')} of each repository`,
  tagsOfDays: (n: number) =>
    n === 1 ? 'tags of the last day' : `tags of the last ${count(n, 'day', 'days')}`,
  matchingTags: (globs: string) => `tags that match ${globs}`,
  change: 'Change',
  running: (removed: number) =>
    `A run is in progress: ${count(removed, 'tag', 'tags')} removed so far.`,
  lastRun: 'Last run',
  lastRunFailed: 'The last run failed',
  result: (removed: number, kept: number) =>
    `${count(removed, 'tag', 'tags')} removed, ${count(kept, 'tag', 'tags')} kept.`,
  failed: (n: number) => `${count(n, 'tag', 'tags')} could not be removed; the audit log says why.`,
  runNow: 'Run now…',
  runTitle: 'Remove tags now?',
  runAction: 'Remove tags',
  started: 'The tags are being removed.',
  dialogTitle: 'Retention of tags',
  removes: 'Remove old tags',
  removesHint:
    'Once a day, for the first time one to two hours after saving. A tag that meets any of these conditions is kept.',
  keepNewest: 'Newest tags to keep',
  keepNewestHint:
    'In each repository, by the time of the last push. Empty: their number does not matter.',
  keepDays: 'Days to keep tags',
  keepDaysHint: 'After the last push of a tag. Empty: their age does not matter.',
  keep: 'Tags to keep always',
  keepHint: 'Patterns, such as v* for all tags that begin with v. Immutable tags are kept as well.',
  incompleteRule: 'Enter a number of tags, a number of days, or both.',
  effect:
    'Signatures are removed with the last tag of their image. The space is freed by the next garbage collection.',
  preview: 'Preview',
  removesNothing: (kept: number) => `Would remove nothing now: ${count(kept, 'tag', 'tags')} kept.`,
  wouldRemove: (removed: number, kept: number, repositories: number) =>
    `Would remove ${count(removed, 'tag', 'tags')} now, and keep ${count(kept, 'tag', 'tags')} in ${count(repositories, 'repository', 'repositories')}.`,
  more: (n: number) => `and ${count(n, 'more tag', 'more tags')}`,
  incomplete: 'The folder is large: not all repositories are counted.',
  saved: 'The retention was saved.',
};
