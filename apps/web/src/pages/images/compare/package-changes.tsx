/** Packages that were added, removed, upgraded or downgraded. */
import { Group, Select, Stack, Text } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { useMemo } from 'react';
import { type Messages, useMessages, useWords } from '../../../i18n/messages.ts';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import type { Column } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useUrlPart } from '../../../kit/use-url-part.ts';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { Missing } from './missing.tsx';

type Packages = NonNullable<ImageComparison['packages']>;
type Change = Packages['changes'][number];

const KINDS = ['added', 'removed', 'upgraded', 'downgraded'] as const;

export function PackageChanges({ comparison }: { comparison: ImageComparison }) {
  const t = useMessages('comparison');
  const { from, to, packages } = comparison;
  if (packages === null)
    return (
      <Panel title={t.packages}>
        <Missing
          text={t.needPackages}
          images={[from, to].filter((each) => each.packages !== 'listed')}
        />
      </Panel>
    );
  return (
    <Panel
      title={t.packages}
      description={t.unchanged(packages.unchanged)}
      empty={packages.changes.length === 0 && t.noPackages}
    >
      <Changes packages={packages} />
    </Panel>
  );
}

const EVERY = 'every';

/** The filter is in the address. */
function Changes({ packages }: { packages: Packages }) {
  const [t, format] = useWords('comparison');
  const [read, change] = useUrlPart();
  const words = read('package');
  const kind = KINDS.find((each) => each === read('change')) ?? EVERY;
  const matching = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    return packages.changes.filter(
      (each) => (kind === EVERY || each.kind === kind) && each.name.toLowerCase().includes(wanted),
    );
  }, [packages, kind, words]);
  const all = KINDS.reduce((sum, each) => sum + packages[each], 0);
  return (
    <Stack gap="sm">
      <Group gap="8px 14px">
        <SearchField
          label={t.searchPackages}
          value={words}
          onChange={(text) => change({ package: text })}
        />
        <Select
          aria-label={t.change}
          data={[
            { value: EVERY, label: `${t.every} · ${format.number(all)}` },
            ...KINDS.map((each) => ({
              value: each,
              label: `${t.changes[each]} · ${format.number(packages[each])}`,
            })),
          ]}
          value={kind}
          onChange={(chosen) => change({ change: chosen === EVERY ? '' : (chosen ?? '') })}
          allowDeselect={false}
        />
      </Group>
      {matching.length === 0 ? (
        <Text c="dimmed">{t.noPackageMatches}</Text>
      ) : (
        <ChangeTable changes={matching} />
      )}
    </Stack>
  );
}

function ChangeTable({ changes }: { changes: Change[] }) {
  const t = useMessages('comparison');
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <SortedTable
      rows={changes}
      first="name"
      parameter="package_sort"
      columns={columns}
      keyOf={changeKey}
    />
  );
}

const changeKey = ({ type, name, from, to }: Change): string =>
  JSON.stringify([type, name, from, to]);

function columnsOf(t: Messages['comparison']): Column<Change>[] {
  return [
    {
      title: t.package,
      sort: 'name',
      by: ({ name }) => name,
      cell: ({ name, type }) => (
        <>
          <strong className={table.wrap}>{name}</strong>
          <span className={table.under}>{type}</span>
        </>
      ),
    },
    {
      title: t.change,
      sort: 'change',
      by: ({ kind }) => KINDS.indexOf(kind),
      width: '20%',
      cell: ({ kind }) => <Badge tone="unknown">{t.changes[kind]}</Badge>,
    },
    {
      id: 'before',
      title: t.before,
      className: table.wrap,
      label: t.before,
      width: '24%',
      cell: ({ from }) => from,
    },
    {
      id: 'after',
      title: t.after,
      className: table.wrap,
      label: t.after,
      width: '24%',
      cell: ({ to }) => to,
    },
  ];
}
