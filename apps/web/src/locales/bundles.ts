/** Groups of messages that are loaded before those of other pages, and the bundle of each. */
export const OUTSIDE_PAGES = {
  common: 'sign-in',
  fault: 'sign-in',
  session: 'sign-in',
  bulk: 'jobs',
  filters: 'jobs',
  jobFault: 'jobs',
  navigation: 'jobs',
  shell: 'jobs',
  staging: 'jobs',
  table: 'jobs',
  verdict: 'jobs',
  dashboard: 'overview',
  setup: 'overview',
  start: 'overview',
  fieldFault: 'field-faults',
} as const;

/** The groups that {@link OUTSIDE_PAGES} does not name are in `pages`. */
export function bundleOf(group: string) {
  return isOutsidePages(group) ? OUTSIDE_PAGES[group] : 'pages';
}

function isOutsidePages(group: string): group is keyof typeof OUTSIDE_PAGES {
  return Object.hasOwn(OUTSIDE_PAGES, group);
}
