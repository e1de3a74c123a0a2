import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const table = {
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all loaded rows',
  selected: (n: number) => `${count(n, 'row', 'rows')} selected`,
};
