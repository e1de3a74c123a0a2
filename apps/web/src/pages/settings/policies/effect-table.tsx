/** Images that a draft would block or allow. */
import type { PolicyPreview } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import type { SortValues } from '../../../kit/table/column-order.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { defineColumns } from '../../../kit/table/define-columns.ts';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';

type Item = PolicyPreview['items'][number];

const MOST_NAMED = 3;

const VALUES: SortValues<Item> = {
  image: imageName,
  change: ({ change }) => (change === 'blocked' ? 0 : 1),
};

export function EffectTable({ items }: { items: readonly Item[] }) {
  const columns = useColumns();
  return (
    <SortedTable
      rows={items}
      values={VALUES}
      first="change"
      columns={columns}
      keyOf={itemKey}
      className={table.inner}
    />
  );
}

const itemKey = ({ repository, digest }: Item): string => `${repository}@${digest}`;

function imageName({ repository, tags: [tag] }: Item): string {
  return tag === undefined ? repository : `${repository}:${tag}`;
}

const useColumns = defineColumns('policies', (t): Column<Item>[] => [
  {
    title: t.image,
    sort: 'image',
    cell: (item) => (
      <Link to={`/images/__local__/${item.repository}`} className={table.name}>
        {imageName(item)}
      </Link>
    ),
  },
  {
    title: t.change,
    sort: 'change',
    cell: ({ change }) => (
      <Badge tone={change === 'blocked' ? 'critical' : 'good'}>{t.changes[change]}</Badge>
    ),
  },
  {
    id: 'why',
    title: t.why,
    className: table.quiet,
    cell: (item) => <Reason item={item} />,
  },
]);

function Reason({ item: { code, findings, findings_total: total } }: { item: Item }) {
  const t = useMessages('policies');
  if (findings.length === 0) return t.codes[code];
  const named = findings
    .slice(0, MOST_NAMED)
    .map(({ vulnerability, package: name }) => `${vulnerability} (${name})`);
  return t.andMore(named.join(', '), total - named.length);
}
