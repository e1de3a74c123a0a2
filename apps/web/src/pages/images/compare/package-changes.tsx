/** Packages that were added, removed, upgraded or downgraded. */
import { Select, Stack, Text } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';
import classes from './compare.module.css';
import { Missing } from './missing.tsx';
import { MoreRows, useFirstRows } from './more-rows.tsx';

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
    <Panel title={t.packages} description={t.unchanged(packages.unchanged)}>
      {packages.changes.length === 0 ? (
        <Text c="dimmed">{t.noPackages}</Text>
      ) : (
        <Changes packages={packages} />
      )}
    </Panel>
  );
}

const EVERY = 'every';

function Changes({ packages }: { packages: Packages }) {
  const t = useMessages('comparison');
  const format = useFormat();
  const [kind, setKind] = useState<string>(EVERY);
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const matching = packages.changes.filter(
    (each) => (kind === EVERY || each.kind === kind) && each.name.toLowerCase().includes(wanted),
  );
  const shown = useFirstRows(matching, `${kind} ${wanted}`);
  const all = KINDS.reduce((sum, each) => sum + packages[each], 0);
  return (
    <Stack gap="sm">
      <div className={classes.filter}>
        <SearchField label={t.searchPackages} value={words} onChange={setWords} />
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
          onChange={(chosen) => setKind(chosen ?? EVERY)}
          allowDeselect={false}
        />
      </div>
      {matching.length === 0 ? (
        <Text c="dimmed">{t.noPackageMatches}</Text>
      ) : (
        <ChangeTable changes={shown.rows} />
      )}
      <MoreRows {...shown} />
    </Stack>
  );
}

function ChangeTable({ changes }: { changes: Change[] }) {
  const t = useMessages('comparison');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.package}</th>
          <th scope="col">{t.change}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ kind, type, name, from, to }) => (
          <tr key={`${type} ${name} ${from} ${to}`}>
            <td>
              <strong>{name}</strong>
              <span className={table.under}>{type}</span>
            </td>
            <td>
              <Badge tone="unknown">{t.changes[kind]}</Badge>
            </td>
            <td className={classes.version} data-label={from === null ? undefined : t.before}>
              {from}
            </td>
            <td className={classes.version} data-label={to === null ? undefined : t.after}>
              {to}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
