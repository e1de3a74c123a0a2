import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const palette = {
  title: 'Search everything',
  field: 'Search images, jobs, vulnerabilities, pages…',
  close: 'Close the search',
  nothing: 'Nothing found. Try a part of a name.',
  results: (n: number) => count(n, 'result', 'results'),
  tags: (n: number) => count(n, 'tag', 'tags'),
  disabled: 'Disabled account',
  newPull: 'Pull an image',
  newTransfer: 'Start a transfer',
  choice: (setting: string, value: string) => `${setting}: ${value}`,
  groups: {
    recent: 'Last used',
    action: 'Pages and actions',
    image: 'Images in the registry',
    job: 'Staging jobs',
    vulnerability: 'Vulnerabilities',
    folder: 'Folders',
    person: 'People',
  },
};
