/** The pages that are measured: what each needs in the database, and what is done on it. */
import { ADMIN } from '../../../tests/support/developer.ts';
import type { StandaloneProduct } from '../../../tests/support/product.ts';
import { seedFindings } from '../../../tests/support/seeded-findings.ts';
import { seedJobs } from '../../../tests/support/seeded-jobs.ts';
import { useFindings } from './findings.ts';
import { LISTS, type ListName, useList } from './lists.ts';
import type { MeasuredPage } from './long-tasks.ts';
import { seedAudit, seedRows } from './seed.ts';

interface LongPage {
  name: string;
  /** Makes its rows, and returns what is done on it. */
  prepare(product: StandaloneProduct, rows: number): Promise<(page: MeasuredPage) => Promise<void>>;
}

const SEEDS: Record<ListName, (product: StandaloneProduct, rows: number) => Promise<void>> = {
  jobs: (product, count) => seedJobs(product, { owner: ADMIN[0], count }),
  tags: (product, rows) => seedRows(product, rows, 'tags'),
  vulnerabilities: (product, rows) => seedRows(product, rows, 'vulnerabilities'),
  users: (product, rows) => seedRows(product, rows, 'users'),
  waivers: (product, rows) => seedRows(product, rows, 'waivers'),
  transfers: (product, rows) => seedRows(product, rows, 'transfers'),
  audit: seedAudit,
};

const PAGES: readonly LongPage[] = [
  {
    name: 'job',
    async prepare(product, count) {
      const job = await seedFindings(product, { owner: ADMIN[0], count });
      return (page) => useFindings(page, job);
    },
  },
  ...LISTS.map((list) => ({
    name: list.name,
    async prepare(product: StandaloneProduct, rows: number) {
      await SEEDS[list.name](product, rows);
      return (page: MeasuredPage) => useList(page, list);
    },
  })),
];

/** All of them without a name. @throws for an unknown name */
export function chosenPages(names: readonly string[]): LongPage[] {
  for (const name of names)
    if (!PAGES.some((page) => page.name === name))
      throw new Error(`no page ${name}; there are ${PAGES.map((page) => page.name).join(', ')}`);
  return PAGES.filter(({ name }) => names.length === 0 || names.includes(name));
}
