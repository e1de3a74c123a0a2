/** The page *Authorities*: whose signatures policies may ask for. */
import { Alert } from '@mantine/core';
import type { AuthorityList, AuthorityView } from '@portcullis/contract';
import { IconSignature } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { AuthorityDialog } from './authority-dialog.tsx';

/** The name of one, or a new one. */
type Shown = { name: string | null };

export function Component() {
  const t = useMessages('authorities');
  const authorities = useAnswer('authorities.listAuthorities');
  const [shown, setShown] = useState<Shown | null>(null);
  const button = <NewButton onClick={() => setShown({ name: null })}>{t.newAuthority}</NewButton>;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {authorities.data && authorities.data.items.length > 0 && button}
      </PageHead>
      <QueryView query={authorities}>
        {(found) =>
          found.items.length === 0 ? (
            <EmptyState icon={IconSignature} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          ) : (
            <Authorities found={found} onOpen={setShown} />
          )
        }
      </QueryView>
      {shown && <AuthorityDialog name={shown.name} onClose={() => setShown(null)} />}
    </>
  );
}

interface AuthoritiesProps {
  found: AuthorityList;
  onOpen(shown: Shown): void;
}

function Authorities({ found, onOpen }: AuthoritiesProps) {
  const columns = useColumns(({ name }: AuthorityView) => onOpen({ name }));
  return (
    <>
      <DataTable rows={found.items} columns={columns} keyOf={({ name }) => name} />
      {found.items.some((item) => item.shipped_root) && <ShippedRoot root={found.sigstore_root} />}
    </>
  );
}

function ShippedRoot({ root: { date, is_old: isOld } }: { root: AuthorityList['sigstore_root'] }) {
  const [t, format] = useWords('authorities');
  const day = format.day(date);
  if (!isOld) return <Dimmed mt="md">{t.shippedRoot(day)}</Dimmed>;
  return (
    <Alert color="yellow" mt="md" role="alert">
      {t.shippedRootOld(day)}
    </Alert>
  );
}

const useColumns = defineColumns(
  'authorities',
  (t, format, onOpen: (authority: AuthorityView) => void): Column<AuthorityView>[] => [
    {
      id: 'name',
      title: t.name,
      cell: (authority) => (
        <RowName
          onOpen={() => onOpen(authority)}
          under={t.version(format.number(authority.version))}
        >
          {authority.name}
        </RowName>
      ),
    },
    { id: 'kind', title: t.kind, label: t.kind, cell: ({ kind }) => t.kinds[kind] },
    {
      id: 'signers',
      title: t.signers,
      label: t.signers,
      cell: (authority) => <Signers authority={authority} />,
    },
    {
      id: 'usedBy',
      title: t.usedBy,
      label: t.usedBy,
      className: table.quiet,
      cell: ({ used_by: policies }) => (policies.length === 0 ? t.unused : format.list(policies)),
    },
  ],
);

function Signers({ authority: { signers, issuer } }: { authority: AuthorityView }) {
  const t = useMessages('authorities');
  return (
    <>
      {signers.map((signer) => (
        <code key={signer} style={{ display: 'block', overflowWrap: 'anywhere' }}>
          {signer}
        </code>
      ))}
      {issuer !== null && <span className={table.under}>{t.by(issuer)}</span>}
    </>
  );
}
